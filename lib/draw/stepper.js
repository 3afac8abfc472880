// The stepper: shows the messages of one round, and what belongs to them.
//
// The picture holds the messages of all rounds.  `state` says what is shown; render() shows it.
(() => {
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const svg = document.querySelector('#figure svg');
const find = selector => [...svg.querySelectorAll(selector)];
const first = data.first, last = first + data.messages.length - 1;
const FOLDED = 16;      // messages: more of them are folded
const PLAY_MS = 1400;   // per step
const DIGITS_MS = 800;  // between the digits of a number
const SWIPE_PX = 40;

// ---- What is drawn

const arrows = find('.message,.exchange').map(element => ({
	element, round: +element.dataset.round, src: +element.dataset.src, dst: +element.dataset.dst,
	both: element.classList.contains('exchange')
}));
const numbers = find('.number[data-round]');
const nodes = find('g.node');
const labels = find('text[data-node]');
const links = find('path.link').map(element => ({
	element, src: +element.dataset.src, dst: +element.dataset.dst
}));

// what[k - first][node]: the text that a node holds before round k; [] if it is not known
const what = data.contents.reduce((states, changes) => {
	const state = states.length ? states[states.length - 1].slice() : Array(data.nodes).fill('');
	for (let i = 0; i < changes.length; i += 2)
		state[changes[i]] = data.texts[changes[i + 1]];
	return states.concat([state]);
}, []);

const state = {
	k: first - 1,                // the round, or first - 1: before the first
	all: false, contents: what.length > 0, loads: false,
	node: -1,                    // selected
	quiz: false, sender: -1,     // clicked in the quiz
	found: new Set(),            // "k:src-dst" of the messages found
	wrong: 0, solved: false,     // in this round of the quiz
	timer: 0
};

// ---- Words

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const name = v => data.labels[v] ? `${v} (${data.labels[v]})` : `${v}`;
const messagesOf = k => data.messages[k - first] || [];
const textOf = message => message[3] >= 0 ? data.texts[message[3]] : '';
const key = (k, src, dst) => `${k}:${src}-${dst}`;
const isFound = (k, m) => state.solved || state.found.has(key(k, m[0], m[1]));
// In the quiz, round k is hidden until all its messages are found.
const isOpen = k => !state.quiz || k !== state.k || messagesOf(k).every(m => isFound(k, m));

function movesIn(list, node) {
	return (list || []).filter(row => row[0] === node)
		.reduce((texts, row) => texts.concat(row.slice(1).map(i => data.texts[i])), []);
}

// What a node does in a round: "send INPUT to 1; OUTPUT := ARRIVAL".
function actionsOf(node, k) {
	const i = k - first;
	const sends = messagesOf(k).filter(m => m[0] === node)
		.map(m => `send ${textOf(m) || plural(m[2], 'word')} to ${m[1]}`);
	const end = k === last ? movesIn(data.before[i + 1], node) : [];
	return [...movesIn(data.before[i], node), ...sends, ...movesIn(data.moves[i], node), ...end].join('; ');
}

function statusText() {
	const n = messagesOf(state.k).length;
	if (state.all)
		return `All ${plural(data.messages.length, 'step')}: ${plural(arrowsShown(), 'message')}`;
	if (state.k < first)
		return `Before step ${first} of ${last}`;
	if (state.quiz && !isOpen(state.k))
		return `Step ${state.k} of ${last}: find ${plural(n, 'message')}`;
	return `Step ${state.k} of ${last}: ${plural(n, 'message')}`;
}

function arrowsShown() {
	return data.messages.reduce((sum, round) => sum + round.length, 0);
}

// ---- Loads

// Messages and words on each directed link "u-v" in the rounds from .. to.
function loadsOf(from, to) {
	const loads = new Map();
	for (let k = from; k <= to; k++) {
		for (const [src, dst, words] of messagesOf(k)) {
			const route = data.routes[`${src}-${dst}`] || [src, dst];
			for (let i = 1; i < route.length; i++) {
				const link = `${route[i - 1]}-${route[i]}`;
				const load = loads.get(link) || { messages: 0, words: 0 };
				loads.set(link, { messages: load.messages + 1, words: load.words + words });
			}
		}
	}
	return loads;
}

function loadsShown() {
	return state.all ? loadsOf(first, last) : isOpen(state.k) ? loadsOf(state.k, state.k) : new Map();
}

const loadText = (load, src, dst) => load
	? `${plural(load.messages, 'message')} (${plural(load.words, 'word')}) from ${src} to ${dst}`
	: `none from ${src} to ${dst}`;

function linkText({ src, dst }) {
	const loads = loadsShown();
	return `Link ${name(src)} - ${name(dst)}: ${loadText(loads.get(`${src}-${dst}`), src, dst)}, `
		+ loadText(loads.get(`${dst}-${src}`), dst, src);
}

function renderLoads() {
	const loads = state.loads ? loadsShown() : new Map();
	const most = Math.max(1, ...[...loads.values()].map(load => load.messages));
	find('.load-number').forEach(element => element.remove());
	for (const { element, src, dst } of links) {
		const of = (u, v) => (loads.get(`${u}-${v}`) || { messages: 0 }).messages;
		const load = Math.max(of(src, dst), of(dst, src));
		element.classList.toggle('loaded', load > 0);
		element.style.strokeWidth = load ? 2 + 6 * load / most : '';
		if (load)
			addLoadNumber(element, load);
	}
}

function addLoadNumber(link, load) {
	const text = document.createElementNS(svg.namespaceURI, 'text');
	const middle = link.getPointAtLength(link.getTotalLength() / 2);
	text.setAttribute('class', 'load-number mid');
	text.setAttribute('x', middle.x);
	text.setAttribute('y', middle.y);
	text.setAttribute('dy', '.36em');
	text.textContent = load;
	link.parentNode.append(text);
}

// ---- Picture

// Past exchanges vanish; of the past messages of a pair, the last one fades until its pair is used again.
function renderArrows() {
	const newest = new Map();
	for (const { round, src, dst, both } of arrows) {
		if (round > state.k)
			continue;
		newest.set(`${src}-${dst}`, round);
		if (both)
			newest.set(`${dst}-${src}`, round);
	}
	for (const { element, round, src, dst, both } of arrows) {
		const old = round < state.k, hidden = state.quiz && round === state.k && !isFound(round, [src, dst]);
		const gone = old && (both || newest.get(`${src}-${dst}`) > round);
		element.classList.toggle('past', !state.all && old && !gone);
		element.classList.toggle('gone', !state.all && (gone || hidden));
		element.classList.toggle('later', !state.all && round > state.k);
	}
}

function renderNodes() {
	const active = new Set();
	if (!state.all && isOpen(state.k))
		messagesOf(state.k).forEach(m => active.add(m[0]).add(m[1]));
	const few = 2 * active.size < data.nodes;
	for (const element of nodes) {
		const v = +element.dataset.node;
		element.classList.toggle('active', few && active.has(v));
		element.classList.toggle('selected', v === (state.quiz ? state.sender : state.node));
	}
	const known = state.contents && what[state.all ? last - first + 1 : state.k - first + (isOpen(state.k) ? 1 : 0)];
	for (const element of labels) {
		element.textContent = known ? known[element.dataset.node] : data.labels[element.dataset.node] || '';
		element.setAttribute('class', `${known ? 'contents' : 'name'} mid`);
	}
}

// ---- Tables

function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	Object.keys(attributes).forEach(name => element.setAttribute(name, attributes[name]));
	element.append(...children);
	return element;
}

const cells = (tag, texts) => texts.map(text => make(tag, {}, text));

function messageRow(k, m) {
	const row = make('tr', {}, ...cells('td', state.all ? [`${k}`] : []),
		...cells('td', [name(m[0]), name(m[1]), textOf(m)]), make('td', { class: 'words' }, `${m[2]}`));
	const arrow = arrows.find(a => a.round === k && ((a.src === m[0] && a.dst === m[1])
		|| (a.both && a.src === m[1] && a.dst === m[0])));
	row.classList.toggle('selected', m[0] === state.node || m[1] === state.node);
	row.onmouseenter = () => arrow.element.classList.add('hot');
	row.onmouseleave = () => arrow.element.classList.remove('hot');
	return row;
}

function renderTable() {
	const rounds = state.all ? data.messages.map((_, i) => first + i) : [state.k];
	const rows = [];
	for (const k of rounds)
		messagesOf(k).filter(m => isOpen(k) || isFound(k, m)).forEach(m => rows.push(messageRow(k, m)));
	const table = make('table', {}, make('tr', {}, ...cells('th', state.all ? ['step'] : []),
		...cells('th', ['from', 'to', 'blocks']), make('th', { class: 'words' }, 'words')), ...rows);
	const details = $('messages').querySelector('details');
	const folded = make('details', details && details.open ? { open: '' } : {},
		make('summary', {}, plural(rows.length, 'message')), table);
	$('messages').replaceChildren(...(rows.length > FOLDED ? [folded] : rows.length ? [table] : []));
}

// The row of a node: what it does in each step, and holds after it.
function renderNode() {
	const holds = what.length > 0, rows = [];
	$('node').hidden = state.node < 0 || state.quiz;
	if ($('node').hidden)
		return;
	for (let k = first; k <= last; k++) {
		const row = make('tr', k === state.k ? { 'aria-current': 'step' } : {},
			...cells('td', [`${k}`, actionsOf(state.node, k)]),
			...cells('td', holds ? [what[k - first + 1][state.node]] : []));
		row.onclick = () => show(k);
		rows.push(row);
	}
	const start = holds && what[0][state.node] ? `, before the first step: ${what[0][state.node]}` : '';
	$('node').replaceChildren(make('h2', {}, `Node ${name(state.node)}${start}`),
		make('table', {}, make('tr', {}, ...cells('th', ['step', 'moves']), ...cells('th', holds ? ['holds'] : [])), ...rows));
}

// ---- Quiz

function judge(node) {
	const messages = messagesOf(state.k), { k, sender } = state;
	if (state.all || k < first || isOpen(k))
		return 'Go to the next step.';
	if (sender < 0 || sender === node) {
		state.sender = sender < 0 ? node : -1;
		return sender < 0 ? `Sender ${name(node)}. Click the receiver.` : 'Click a sender.';
	}
	state.sender = -1;
	if (!messages.some(m => m[0] === sender && m[1] === node)) {
		state.wrong++;
		return `No: in step ${k}, ${name(sender)} does not send to ${name(node)}.`;
	}
	const back = messages.some(m => m[0] === node && m[1] === sender);
	state.found.add(key(k, sender, node));
	if (back)
		state.found.add(key(k, node, sender));
	const left = messages.filter(m => !isFound(k, m)).length;
	return `Yes: ${name(sender)} ${back ? 'and' : 'sends to'} ${name(node)}${back ? ' exchange' : ''}. `
		+ (left ? `${left} of ${messages.length} left.` : `Step ${k} is complete, with ${plural(state.wrong, 'wrong answer')}.`);
}

function setQuiz(on) {
	Object.assign(state, { quiz: on, all: false, sender: -1, wrong: 0, solved: false, found: new Set(), node: -1 });
	say(on ? 'Click the sender, then the receiver of each message.' : '');
	show(on ? Math.max(state.k, first) : state.k);
}

// ---- State

const say = text => { $('info').textContent = text; };

function render() {
	document.body.classList.toggle('all', state.all);
	$('slider').value = state.k;
	$('slider').setAttribute('aria-valuetext', statusText());
	$('back').disabled = !state.all && state.k < first;
	$('next').disabled = !state.all && state.k === last;
	$('solve').hidden = !state.quiz || isOpen(state.k);
	for (const [id, on] of [['all', state.all], ['contents', state.contents], ['loads', state.loads],
		['quiz', state.quiz], ['play', state.timer], ['full', document.fullscreenElement]])
		$(id).setAttribute('aria-pressed', on ? 'true' : 'false');
	renderArrows();
	renderNodes();
	renderLoads();
	renderTable();
	renderNode();
	if ($('status').textContent !== statusText())
		$('status').textContent = statusText();
}

function show(k) {
	k = Math.max(first - 1, Math.min(last, k));
	if (k !== state.k)
		Object.assign(state, { sender: -1, wrong: 0, solved: false });
	state.all = false;
	state.k = k;
	changed();
}

function changed() {
	const hash = state.all ? '#all' : `#${state.quiz ? 'quiz' : ''}${state.k}`;
	try {
		history.replaceState(null, '', hash);
	} catch (error) {
		// Some frames have no history; the page works without.
	}
	render();
}

function toggle(option) {
	state[option] = !state[option];
	if (state.all)
		state.quiz = false;
	changed();
}

function play() {
	clearInterval(state.timer);
	if (state.timer) {
		state.timer = 0;
		return render();
	}
	state.timer = setInterval(() => state.k < last ? show(state.k + 1) : play(), PLAY_MS);
	return show(state.k < last ? state.k + 1 : first - 1);
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

function readAddress() {
	const hash = location.hash.slice(1), number = parseInt(hash.replace(/^quiz/, ''), 10);
	state.k = Math.max(first - 1, Math.min(last, number >= 0 ? number : first - 1));
	state.all = hash === 'all';
	if (hash.startsWith('quiz') !== state.quiz)
		setQuiz(hash.startsWith('quiz'));
	render();
}

// ---- Input

const buttons = {
	back: () => show(state.all ? last : state.k - 1), next: () => show(state.all ? first : state.k + 1),
	play, all: () => toggle('all'), loads: () => toggle('loads'), full: fullScreen,
	contents: () => what.length && toggle('contents'), quiz: () => setQuiz(!state.quiz),
	solve: () => { state.solved = true; render(); }, help: () => $('keys').showModal()
};
const keys = {
	ArrowLeft: buttons.back, PageUp: buttons.back, ArrowRight: buttons.next, PageDown: buttons.next,
	Home: () => show(first - 1), End: () => show(last), ' ': play, a: buttons.all, v: buttons.contents,
	l: buttons.loads, q: buttons.quiz, f: fullScreen, '?': buttons.help, Escape: () => select(state.node)
};

let typed = { number: 0, time: 0 };
function typeDigit(digit) {
	const longer = 10 * typed.number + digit, now = Date.now();
	typed = { number: now - typed.time < DIGITS_MS && longer <= last ? longer : digit, time: now };
	show(typed.number);
}

function onKey(event) {
	const pressed = event.target.closest && event.target.closest('button,summary,g.node');
	const node = event.target.closest && event.target.closest('g.node');
	const action = /^\d$/.test(event.key) ? () => typeDigit(+event.key) : keys[event.key];
	if (event.ctrlKey || event.altKey || event.metaKey || $('keys').open)
		return;
	if (node && (event.key === 'Enter' || event.key === ' '))
		select(+node.dataset.node);
	else if (!action || (event.key === ' ' && pressed))
		return;
	else
		action();
	event.preventDefault();
}

function pointAt(event) {
	const arrow = event.target.closest('.message,.exchange'), link = event.target.closest('.near,.link');
	const found = arrow && arrows.find(a => a.element === arrow);
	find('.route').forEach(element => element.classList.remove('route'));
	if (found) {
		const messages = messagesOf(found.round).filter(m => (m[0] === found.src && m[1] === found.dst)
			|| (found.both && m[0] === found.dst && m[1] === found.src));
		say(messages.map(m => `Step ${found.round}: ${name(m[0])} sends ${textOf(m)} to ${name(m[1])}, ${plural(m[2], 'word')}`).join('; '));
		const route = data.routes[`${found.src}-${found.dst}`] || [];
		links.filter(({ src, dst }) => route.some((v, i) => i && ((route[i - 1] === src && v === dst)
			|| (route[i - 1] === dst && v === src)))).forEach(l => l.element.classList.add('route'));
	} else if (link) {
		say(linkText(links.find(l => l.element === link || l.near === link)));
	} else if (!state.quiz) {
		say('');
	}
}

// A wide transparent line for each link, which is thin.
function widen(link) {
	link.near = link.element.cloneNode(false);
	[...link.near.attributes].filter(a => a.name !== 'd').forEach(a => link.near.removeAttribute(a.name));
	link.near.setAttribute('class', 'near');
	link.element.after(link.near);
}

function listen() {
	let start = null;
	Object.keys(buttons).forEach(id => { $(id).onclick = buttons[id]; });
	$('slider').oninput = () => show(+$('slider').value);
	addEventListener('keydown', onKey);
	addEventListener('hashchange', readAddress);
	addEventListener('fullscreenchange', render);
	nodes.forEach(element => { element.onclick = () => select(+element.dataset.node); });
	svg.addEventListener('pointerover', pointAt);
	$('figure').addEventListener('touchstart', event => { start = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
	$('figure').addEventListener('touchend', event => {
		const end = event.changedTouches[0], x = start ? end.clientX - start.clientX : 0;
		if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(end.clientY - start.clientY))
			(x < 0 ? buttons.next : buttons.back)();
	});
}

// ---- Start

// Without its title, the picture has no tooltip that covers it; as a group, its nodes can be reached.
function name_picture() {
	svg.setAttribute('aria-label', svg.querySelector('title').textContent);
	svg.removeAttribute('aria-labelledby');
	svg.setAttribute('aria-describedby', 'description');
	svg.setAttribute('role', 'group');
	svg.querySelector('title').remove();
	for (const element of nodes) {
		element.setAttribute('tabindex', '0');
		element.setAttribute('role', 'button');
		element.setAttribute('aria-label', `node ${name(+element.dataset.node)}`);
	}
}

// ?print: a picture of each step, and nothing else.
function makeHandout() {
	const figures = [];
	for (state.k = what.length ? first - 1 : first; state.k <= last; state.k++) {
		render();
		const copy = svg.cloneNode(true);
		copy.querySelectorAll('.gone,.later,desc,metadata,.near').forEach(element => element.remove());
		copy.querySelectorAll('[tabindex]').forEach(element => element.removeAttribute('tabindex'));
		copy.removeAttribute('aria-describedby');
		copy.setAttribute('aria-label', statusText());
		figures.push(make('figure', {}, make('figcaption', {}, statusText()), copy));
	}
	document.querySelector('main').replaceChildren(...figures);
	document.body.classList.add('handout');
}

document.body.classList.add('stepper');
$('contents').disabled = what.length === 0;
$('slider').min = first - 1;
$('slider').max = last;
name_picture();
links.forEach(widen);
if (new URLSearchParams(location.search).has('print')) {
	makeHandout();
} else {
	listen();
	readAddress();
}
})();
