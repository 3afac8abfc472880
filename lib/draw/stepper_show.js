// The stepper: what it shows for a state: loads, arrows, nodes and tables.

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
