// The stepper: shows the messages of one round, and what belongs to them.
//
// The picture holds the messages of all rounds, but an arrow that repeats only once.  `state` says
// what to show; render() shows it.
(() => {
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
const nodes = find('g.node').filter(element => +element.dataset.node < data.nodes);
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
	set(element,
		{ class: `${arrow.both ? 'exchange' : 'message'} r${(round - 1) % COLORS}` });
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
	const now = held.length ? held[held.length - 1].slice() : Array(data.nodes).fill('');
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
const isFound = (k, src, dst) => state.solved || state.found.has(key(k, src, dst));
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

// ---- Loads

const none = { messages: 0, words: 0 };

// Messages and words on each directed link "u-v" in the rounds that are shown.
function loadsShown() {
	const loads = new Map();
	for (const k of roundsShown().filter(isOpen)) {
		for (const [src, dst, words] of messagesOf(k)) {
			const route = data.routes[`${src}-${dst}`] || [src, dst];
			for (let i = 1; i < route.length; i++) {
				const link = `${route[i - 1]}-${route[i]}`, load = loads.get(link) || none;
				loads.set(link, { messages: load.messages + 1, words: load.words + words });
			}
		}
	}
	return loads;
}

function linkText({ src, dst }) {
	const loads = loadsShown();
	const text = (u, v, { messages, words } = none) =>
		`${plural(messages, 'message')} (${plural(words, 'word')}) from ${u} to ${v}`;
	return `Link ${name(src)} - ${name(dst)}: ${text(src, dst, loads.get(`${src}-${dst}`))}, `
		+ text(dst, src, loads.get(`${dst}-${src}`));
}

function renderLoads() {
	const loads = state.loads ? loadsShown() : new Map(), places = [];
	const count = (u, v) => (loads.get(`${u}-${v}`) || none).messages;
	find('.load-number').forEach(element => element.remove());
	for (const { element, src, dst } of links) {
		const load = Math.max(count(src, dst), count(dst, src));
		element.classList.toggle('loaded', load > 0);
		element.style.strokeWidth = load ? Math.min(12, 2.5 + 1.5 * load) : '';
		if (load)
			addLoadNumber(element, load, places);
	}
}

// On the link, near its middle, as far as possible from the numbers before.
function addLoadNumber(link, load, places) {
	const text = document.createElementNS(svg.namespaceURI, 'text'), length = link.getTotalLength();
	const room = at => Math.min(60, ...places.map(p => Math.hypot(p.x - at.x, p.y - at.y)));
	const at = [0.5, 0.42, 0.58, 0.34, 0.66].map(t => link.getPointAtLength(t * length))
		.reduce((best, other) => room(other) > room(best) ? other : best);
	places.push(at);
	set(text, { class: 'load-number mid', x: at.x.toFixed(1), y: at.y.toFixed(1), dy: '.36em' });
	text.textContent = load;
	link.parentNode.append(text);
}

// ---- Picture

// Past exchanges vanish.  A past message fades, and vanishes when its pair is used again.
function renderArrows() {
	const newest = new Map();
	for (const { round, src, dst, both } of arrows.filter(arrow => arrow.round <= state.k)) {
		newest.set(`${src}-${dst}`, round);
		if (both)
			newest.set(`${dst}-${src}`, round);
	}
	for (const { element, round, src, dst, both } of arrows) {
		const isPast = round < state.k, hidden = round === state.k && !isShown(round, [src, dst]);
		const gone = isPast && (both || newest.get(`${src}-${dst}`) > round);
		element.classList.toggle('past', !state.all && isPast && !gone);
		element.classList.toggle('gone', !state.all && (gone || hidden || round > state.k));
	}
}

// Active nodes stand out if they are fewer than half.
function renderNodes() {
	const active = new Set();
	if (!state.all && isOpen(state.k))
		messagesOf(state.k).forEach(m => active.add(m[0]).add(m[1]));
	for (const element of nodes) {
		const v = +element.dataset.node;
		element.classList.toggle('active', 2 * active.size < data.nodes && active.has(v));
		element.classList.toggle('selected', v === state.node);
	}
	const done = state.all ? data.messages.length : state.k - first + (isOpen(state.k) ? 1 : 0);
	for (const element of labels) {
		const v = element.dataset.node;
		element.textContent = (state.contents ? held[done][v] : data.labels[v]) || '';
		element.setAttribute('class', `${state.contents ? 'contents' : 'name'} mid`);
	}
}

// ---- Tables

function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	set(element, attributes);
	element.append(...children);
	return element;
}

const makeRow = (tag, texts) => make('tr', {}, ...texts.map(text => make(tag, {}, text)));

// The columns that apply.
const columns = (step, from, to, blocks, words) =>
	[...(state.all ? [step] : []), from, to, ...(data.moves.length ? [blocks] : []), words];

function messageRow(k, m) {
	const row = makeRow('td', columns(`${k}`, name(m[0]), name(m[1]), textOf(m), `${m[2]}`));
	const arrow = arrowOf.get(key(k, m[0], m[1])).element;
	row.classList.toggle('selected', !state.quiz && (m[0] === state.node || m[1] === state.node));
	row.onmouseenter = () => arrow.classList.add('hot');
	row.onmouseleave = () => arrow.classList.remove('hot');
	return row;
}

function renderTable() {
	const rows = [], details = $('messages').querySelector('details');
	for (const k of roundsShown())
		messagesOf(k).filter(m => isShown(k, m)).forEach(m => rows.push(messageRow(k, m)));
	const head = makeRow('th', columns('step', 'from', 'to', 'blocks', 'words'));
	const table = make('table', {}, head, ...rows);
	const folded = make('details', details && details.open ? { open: '' } : {},
		make('summary', {}, plural(rows.length, 'message')), table);
	arrows.forEach(({ element }) => element.classList.remove('hot'));
	$('messages').replaceChildren(rows.length > FOLDED ? folded : rows.length ? table : '');
}

// The row of a node: what it does in each step, and holds after it.
function renderNode() {
	const ifHeld = item => held.length ? [item()] : [];
	$('node').hidden = state.node < 0 || state.quiz;
	if ($('node').hidden)
		return;
	const rows = rounds.map(k => {
		const holds = ifHeld(() => held[k - first + 1][state.node]);
		const row = makeRow('td', [`${k}`, actionsOf(state.node, k), ...holds]);
		if (k === state.k)
			row.setAttribute('aria-current', 'step');
		row.onclick = () => show(k);
		return row;
	});
	$('node').replaceChildren(make('h2', {}, `Node ${name(state.node)}`), make('table', {},
		makeRow('th', ['step', 'moves', ...ifHeld(() => 'holds')]),
		...ifHeld(() => makeRow('td', ['before', '', held[0][state.node]])), ...rows));
}

// ---- Quiz

// The first click chooses the sender, the second the receiver; the plan judges.
function judge(node) {
	const { k, node: sender } = state, messages = messagesOf(k);
	const sends = (src, dst) => messages.some(m => m[0] === src && m[1] === dst);
	if (isOpen(k))
		return 'Go to the next step.';
	state.node = sender < 0 ? node : -1;
	if (sender < 0)
		return `Sender ${name(node)}. Click the receiver.`;
	if (sender === node)
		return 'Click a sender.';
	if (!sends(sender, node)) {
		state.wrong++;
		return `No: in step ${k}, ${name(sender)} does not send to ${name(node)}.`;
	}
	const back = sends(node, sender);
	state.found.add(key(k, sender, node));
	if (back)
		state.found.add(key(k, node, sender));
	const left = messages.filter(m => !isFound(k, m[0], m[1])).length;
	return (back ? `Yes: ${name(sender)} and ${name(node)} exchange. `
		: `Yes: ${name(sender)} sends to ${name(node)}. `)
		+ (left ? `${left} of ${messages.length} left.`
			: `Step ${k} is complete; wrong answers: ${state.wrong}.`);
}

function restartQuiz() {
	Object.assign(state, { node: -1, found: new Set(), wrong: 0, solved: false });
	say('Click the sender, then the receiver of each message.');
}

function setQuiz(on) {
	Object.assign(state, { quiz: on, node: -1 });
	say('');
	if (on)
		restartQuiz();
	show(on ? Math.max(state.k, first) : state.k);
}

// ---- State

function say(text) {
	$('info').textContent = text;
}

function render() {
	for (const option of ['all', 'contents', 'loads', 'quiz', 'play'])
		$(`do-${option}`).setAttribute('aria-pressed', !!state[option]);
	$('do-full').setAttribute('aria-pressed', !!document.fullscreenElement);
	document.body.classList.toggle('all', state.all);
	document.body.classList.toggle('loads', state.loads);
	$('slider').value = state.k;
	$('slider').setAttribute('aria-valuetext', statusText());
	$('do-back').disabled = !state.all && state.k < first;
	$('do-next').disabled = !state.all && state.k === last;
	$('do-solve').hidden = isOpen(state.k);
	renderArrows();
	renderNodes();
	renderLoads();
	renderTable();
	renderNode();
	if ($('status').textContent !== statusText())
		$('status').textContent = statusText();
}

function changed() {
	const place = state.all ? '#all' : `#${state.quiz ? 'quiz' : ''}${state.k}`;
	try {
		history.replaceState(null, '', place);
	} catch (error) {
		// A page in a frame may have no history; it works without.
	}
	render();
}

function show(k) {
	const old = state.k;
	state.all = false;
	state.k = Math.max(first - 1, Math.min(last, k));
	if (state.quiz && state.k !== old)
		restartQuiz();
	changed();
}

function toggle(option) {
	state[option] = !state[option];
	if (state.all)
		state.quiz = false;
	changed();
}

function play() {
	const playing = state.play;
	clearInterval(playing);
	const step = () => state.k < last ? show(state.k + 1) : play();
	state.play = playing ? 0 : setInterval(step, PLAY_MS);
	show(playing ? state.k : state.k < last ? state.k + 1 : first - 1);
}

function fullScreen() {
	if (document.fullscreenElement)
		document.exitFullscreen();
	else if (document.documentElement.requestFullscreen)
		document.documentElement.requestFullscreen();
}

function select(node) {
	if (state.quiz)
		say(judge(node));
	else
		state.node = state.node === node ? -1 : node;
	render();
}

// #3, #quiz3, #quiz or #all
function readAddress() {
	const [, quiz, number] = /^#(quiz)?(\d*)/.exec(location.hash) || [];
	state.k = Math.max(first - 1, Math.min(last, number ? +number : first - 1));
	state.all = location.hash === '#all';
	if (!!quiz !== state.quiz)
		setQuiz(!!quiz);
	render();
}

// ---- Input

const actions = {
	back: () => show(state.all ? last : state.k - 1),
	next: () => show(state.all ? first : state.k + 1),
	play, all: () => toggle('all'), contents: () => held.length && toggle('contents'),
	loads: () => toggle('loads'), quiz: () => setQuiz(!state.quiz),
	solve: () => { state.solved = true; render(); },
	full: fullScreen, help: () => $('keys').showModal()
};
const keys = {
	ArrowLeft: actions.back, PageUp: actions.back, ArrowRight: actions.next, PageDown: actions.next,
	Home: () => show(first - 1), End: () => show(last), ' ': play,
	a: actions.all, v: actions.contents, l: actions.loads, q: actions.quiz, f: fullScreen,
	'?': actions.help,
	Escape: () => state.quiz ? setQuiz(false) : select(state.node)
};

let typed = { number: 0, time: 0 };
function typeDigit(digit) {
	const longer = 10 * typed.number + digit, now = Date.now();
	typed = { number: now - typed.time < DIGITS_MS && longer <= last ? longer : digit, time: now };
	show(typed.number);
}

function onKey(event) {
	const target = event.target.closest ? event.target : document.body;
	const node = target.closest('g.node'), isPress = event.key === ' ' || event.key === 'Enter';
	if (event.ctrlKey || event.altKey || event.metaKey || $('keys').open
		|| (isPress && target.closest('button,summary')))
		return;
	if (isPress && node)
		select(+node.dataset.node);
	else if (/^\d$/.test(event.key))
		typeDigit(+event.key);
	else if (keys[event.key])
		keys[event.key]();
	else
		return;
	event.preventDefault();
}

// An arrow shows its message and its route, a link its load.
function pointAt(event) {
	const target = event.target, group = target.closest('.message,.exchange');
	const arrow = arrows.find(a => a.element === group);
	const link = links.find(l => l.near === target || l.element === target);
	const found = (arrow ? messagesOf(arrow.round) : [])
		.filter(m => arrowOf.get(key(arrow.round, m[0], m[1])) === arrow);
	const route = arrow && data.routes[`${arrow.src}-${arrow.dst}`] || [];
	const isOnRoute = (u, v) => route.some((w, i) => w === u && route[i + 1] === v);
	links.forEach(({ element, src, dst }) =>
		element.classList.toggle('route', isOnRoute(src, dst) || isOnRoute(dst, src)));
	if (state.quiz)
		return;
	say(link ? linkText(link) : found.map(m => sentence(arrow.round, m)).join('; '));
}

function onSwipe(from, to) {
	const x = to.clientX - from.clientX;
	if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(to.clientY - from.clientY))
		(x < 0 ? actions.next : actions.back)();
}

function listen() {
	let touch;
	Object.keys(actions).forEach(id => { $(`do-${id}`).onclick = actions[id]; });
	$('slider').oninput = () => show(+$('slider').value);
	nodes.forEach(element => { element.onclick = () => select(+element.dataset.node); });
	svg.addEventListener('pointerover', pointAt);
	$('figure').addEventListener('touchstart', event => { touch = event.touches[0]; },
		{ passive: true });
	$('figure').addEventListener('touchend', event => onSwipe(touch, event.changedTouches[0]));
	addEventListener('keydown', onKey);
	addEventListener('hashchange', readAddress);
	addEventListener('fullscreenchange', render);
}

// ---- Start

// The title would be a tooltip over the whole picture.  Keys reach the nodes of a group, but not those
// of an image.  Links are thin: each gets a wide transparent line.
function preparePicture() {
	set(svg, { role: 'group', 'aria-label': svg.querySelector('title').textContent });
	svg.removeAttribute('aria-labelledby');
	svg.querySelector('title').remove();
	for (const element of nodes) {
		const label = `node ${name(+element.dataset.node)}`;
		set(element, { tabindex: '0', role: 'button', 'aria-label': label });
	}
	for (const link of links) {
		link.near = document.createElementNS(svg.namespaceURI, 'path');
		set(link.near, { class: 'near', d: link.element.getAttribute('d') });
		link.element.after(link.near);
	}
}

// ?print: a picture of each step, and nothing else.
function makeHandout() {
	const figures = [], width = Math.max(200, 0.4 * svg.viewBox.baseVal.width);
	for (state.k = held.length ? first - 1 : first; state.k <= last; state.k++) {
		render();
		const copy = svg.cloneNode(true);
		copy.querySelectorAll('.gone,.past,.near,.number,desc,metadata').forEach(e => e.remove());
		copy.querySelectorAll('[tabindex]').forEach(e => e.removeAttribute('tabindex'));
		set(copy, { role: 'img', 'aria-label': statusText() });
		figures.push(make('figure', {}, make('figcaption', {}, statusText()), copy));
	}
	document.body.classList.add('handout');
	document.body.style.setProperty('--column', `${width}px`);
	document.querySelector('main').replaceChildren(...figures);
}

document.body.classList.add('stepper');
$('do-contents').hidden = held.length === 0;
$('slider').min = first - 1;
$('slider').max = last;
preparePicture();
if (new URLSearchParams(location.search).has('print')) {
	makeHandout();
} else {
	listen();
	readAddress();
}
})();
