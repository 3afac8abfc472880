// The stepper: shows the messages of one round, and what belongs to them.
//
// The picture holds the messages of all rounds, but an arrow that repeats only once.  `state` says
// what to show; render() shows it.
// The page has stepper.js, stepper_show.js and stepper_input.js as one function.
'use strict';
const $ = id => document.getElementById(id);

// ---- Data

const flat = lists => [].concat(...lists);

// A list of numbers, in which an array is a run: see number_list.h.
function numbers(list) {
	const run = ([count, step, ...first]) => Array.from({ length: count },
		(_, i) => first[i % first.length] + step * Math.floor(i / first.length));
	return flat(list.map(item => Array.isArray(item) ? run(item) : item));
}

// The texts of a form: "OUTPUT[#..#]" and the numbers of each.
function textsOf([form, list]) {
	const [begin, ...parts] = form.split('#'), all = numbers(list), texts = [];
	for (let i = 0; i < all.length; i += parts.length)
		texts.push(parts.reduce((text, part, hole) => text + all[i + hole] + part, begin));
	return texts;
}

// By rows; of moves: [node, text, text, ..].
const rowsOf = columns => (columns[0] || []).map((_, i) => columns.map(column => column[i]));

function movesOf([nodes = [], counts, texts]) {
	const rows = nodes.map(node => [node]);
	for (let index = 0, at = 0; at < (texts || []).length; index++)
		rows.forEach((row, i) => index < counts[i] && row.push(texts[at++]));
	return rows;
}

function readData(data) {
	const columns = table => table.map(numbers);
	data.messages = data.messages.map(table => rowsOf(columns(table)));
	data.contents = data.contents.map(table => rowsOf(columns(table)));
	for (const moves of ['before', 'moves'])
		data[moves] = data[moves].map(table => movesOf(columns(table)));
	data.texts = flat(data.texts.map(item => Array.isArray(item) ? textsOf(item) : item));
	return data;
}

const data = readData(JSON.parse($('data').textContent));
const svg = document.querySelector('#figure svg');
const find = selector => [...svg.querySelectorAll(selector)];
const first = data.first, last = first + data.messages.length - 1;
const rounds = data.messages.map((_, i) => first + i);
const allMessages = data.messages.reduce((sum, messages) => sum + messages.length, 0);
const FOLDED = 16;      // messages: a table of more is folded
const PLAY_MS = 1400;   // per step
const DIGITS_MS = 800;  // between the digits of a number
const SWIPE_PX = 40;
const COLORS = 8;

function set(element, attributes) {
	for (const [name, value] of Object.entries(attributes))
		element.setAttribute(name, value);
}

// ---- What is drawn

const ends = element => ({ element, src: +element.dataset.src, dst: +element.dataset.dst });
const links = find('path.link').map(ends);
const arrows = find('.message,.exchange').map(element => Object.assign(ends(element),
	{ round: +element.dataset.round, both: element.classList.contains('exchange') }));
const nodes = find('g.node:not(.switch)');
const drawn = new Set(nodes.map(element => +element.dataset.node));
const labels = find('text[data-node]');

const key = (k, src, dst) => `${k}:${src}-${dst}`;
const arrowOf = new Map();
function addArrow(arrow) {
	arrowOf.set(key(arrow.round, arrow.src, arrow.dst), arrow);
	if (arrow.both)
		arrowOf.set(key(arrow.round, arrow.dst, arrow.src), arrow);
}

function copyArrow(arrow, round, words, wordsBack) {
	const element = arrow.element.cloneNode(true);
	Object.assign(element.dataset, { round, words }, arrow.both ? { wordsBack } : {});
	const broken = (data.broken || []).includes(key(round, arrow.src, arrow.dst)) ? ' broken' : '';
	set(element,
		{ class: `${arrow.both ? 'exchange' : 'message'} r${(round - 1) % COLORS}${broken}` });
	arrow.element.after(element);
	return Object.assign({}, arrow, { element, round });
}

// A message without an arrow looks as the last one between its nodes.
arrows.forEach(addArrow);
const newestOf = new Map();
data.messages.forEach((messages, i) => {
	for (const [src, dst, words] of messages) {
		let arrow = arrowOf.get(key(first + i, src, dst));
		if (!arrow) {
			const [, , wordsBack] = messages.find(m => m[0] === dst && m[1] === src) || [];
			arrow = copyArrow(newestOf.get(`${src}-${dst}`), first + i, words, wordsBack);
			arrows.push(arrow);
			addArrow(arrow);
		}
		newestOf.set(`${src}-${dst}`, arrow);
		if (arrow.both)
			newestOf.set(`${dst}-${src}`, arrow);
	}
});

// held[i][node]: what a node holds before round first + i; [] if that is not known.
const held = [];
for (const changes of data.contents) {
	const now = Object.assign({}, held[held.length - 1]);
	drawn.forEach(node => { now[node] = now[node] || ''; });
	for (const [node, text] of changes)
		now[node] = data.texts[text];
	held.push(now);
}

const state = {
	k: first - 1, // the round; first - 1: before the first
	all: false, contents: held.length > 0, loads: false, quiz: false,
	node: -1,     // selected; in the quiz: the sender
	found: new Set(), wrong: 0, solved: false, // in this round of the quiz
	play: 0       // the timer that plays
};

// ---- Words

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const name = v => data.labels[v] ? `${v} (${data.labels[v]})` : `${v}`;
const messagesOf = k => data.messages[k - first] || [];
const textOf = message => data.texts[message[3]] || '';
// Messages to and from nodes that are not drawn cannot be found, and need not be.
const isFound = (k, src, dst) => state.solved || !drawn.has(src) || !drawn.has(dst)
	|| state.found.has(key(k, src, dst));
// In the quiz, a round is hidden until all its messages are found.
const isOpen = k =>
	!state.quiz || k !== state.k || messagesOf(k).every(m => isFound(k, m[0], m[1]));
const roundsShown = () => state.all ? rounds : [state.k];
const isShown = (k, m) => isOpen(k) || isFound(k, m[0], m[1]);

function statusText() {
	const { k } = state;
	if (state.all)
		return `All ${plural(rounds.length, 'step')}: ${plural(allMessages, 'message')}`;
	if (k < first)
		return `Before step ${first} of ${last}`;
	return `Step ${k} of ${last}: ${isOpen(k) ? '' : 'find '}`
		+ plural(messagesOf(k).length, 'message');
}

const sentence = (k, m) => `Step ${k}: ${name(m[0])} sends ${textOf(m) ? `${textOf(m)}, ` : ''}`
	+ `${plural(m[2], 'word')}, to ${name(m[1])}`;

const movesIn = (rows, node) => [].concat(...(rows || []).filter(row => row[0] === node)
	.map(row => row.slice(1).map(text => data.texts[text])));

// What a node does in a round: "send INPUT to 1; OUTPUT := ARRIVAL".
function actionsOf(node, k) {
	const i = k - first;
	const sends = messagesOf(k).filter(m => m[0] === node)
		.map(m => `send ${textOf(m) || plural(m[2], 'word')} to ${m[1]}`);
	return [...movesIn(data.before[i], node), ...sends, ...movesIn(data.moves[i], node),
		...(k === last ? movesIn(data.before[i + 1], node) : [])].join('; ');
}
