// The stepper: the quiz, changes of the state, keys and pointers, and the start.

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
