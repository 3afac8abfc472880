// Appended to the page of a plan: uses it as a reader does, and leaves what it saw in <pre id="seen">.
(() => {
'use strict';
const $ = id => document.getElementById(id);
const seen = {}, errors = [];
const press = (element, options) => element.dispatchEvent(
	new KeyboardEvent('keydown', Object.assign({ bubbles: true }, options)));
const key = name => press(document, { key: name });
const status = () => $('status').textContent;
const fire = (element, type, kind = MouseEvent) =>
	element.dispatchEvent(new kind(type, { bubbles: true }));
const node = v => document.querySelector(`g.node[data-node="${v}"]`);
const arrows = [...document.querySelectorAll('.message,.exchange')];
const isShown = e => !e.classList.contains('gone') && !e.classList.contains('past');
const pair = e => `${e.dataset.src}-${e.dataset.dst}`;
const shown = () => arrows.filter(isShown).map(pair).sort();
const pressed = id => $(id).getAttribute('aria-pressed') === 'true';
const data = JSON.parse($('data').textContent), last = data.first + data.messages.length - 1;
const numbers = list => list.reduce((all, item) => all.concat(Array.isArray(item)
	? [...Array(item[0]).keys()].map(i =>
		item[2 + i % (item.length - 2)] + item[1] * Math.floor(i / (item.length - 2)))
	: item), []);
addEventListener('error', event => errors.push(event.message));

seen.start = status();
seen.keys = [];
for (const name of ['ArrowRight', 'PageDown', 'ArrowLeft', 'PageUp', 'End', 'ArrowRight', 'Home',
	'ArrowLeft', '2', '1', '0']) {
	key(name);
	seen.keys.push([name, status(), location.hash, $('slider').value]);
}
press(document, { key: 'ArrowRight', ctrlKey: true });
seen.ctrl = status();
$('slider').value = last;
fire($('slider'), 'input', Event);
seen.slider = status();

// What is shown in each step, and the load of each link.
key('Home');
seen.steps = [];
for (let k = data.first; k <= last; k++) {
	fire($('do-next'), 'click');
	const loads = [];
	for (const link of document.querySelectorAll('path.link')) {
		fire(link, 'pointerover', PointerEvent);
		loads.push($('info').textContent);
	}
	seen.steps.push({ status: status(), hash: location.hash, shown: shown(), loads,
		past: arrows.filter(e => e.classList.contains('past')).map(pair),
		pastExchanges: document.querySelectorAll('.exchange.past').length,
		active: document.querySelectorAll('.node.active').length,
		rows: document.querySelectorAll('#messages td:first-child').length,
		folded: document.querySelectorAll('#messages details').length });
}
const arrow = arrows.filter(isShown)[0];
fire(arrow, 'pointerover', PointerEvent);
seen.arrow = $('info').textContent;

key('a');
seen.all = [status(), location.hash, shown().length === arrows.length, pressed('do-all')];
key('a');
key('l');
seen.loads = [pressed('do-loads'), document.querySelectorAll('.load-number').length,
	document.querySelectorAll('.link.loaded').length];
key('l');
key('1');
fire(node(0), 'click');
seen.node = $('node').hidden ? '' : $('node').innerText;
seen.selected = document.querySelectorAll('#messages tr.selected').length;
key('Escape');
seen.escape = $('node').hidden;
node(0).focus();
press(node(0), { key: 'Enter' });
seen.enter = !$('node').hidden;
key('Escape');
key('v');
seen.contents = [$('do-contents').hidden,
	[...document.querySelectorAll('#figure text[data-node]')].map(e => e.textContent)];
key('?');
seen.help = $('keys').open;
$('keys').close();
const touch = (type, x) => {
	const event = new Event(type, { bubbles: true });
	event.touches = event.changedTouches = [{ clientX: x, clientY: 5 }];
	$('figure').dispatchEvent(event);
};
touch('touchstart', 200);
touch('touchend', 90);
seen.swipe = status();

// Quiz: a wrong answer, then the right ones.
key('1');
key('q');
const [sources, targets] = data.messages[0].map(numbers);
const messages = sources.map((src, i) => [src, targets[i]]);
seen.quiz = [status(), location.hash, shown().length, $('node').hidden];
const sender = messages[0][0], receivers = messages.filter(m => m[0] === sender).map(m => m[1]);
const wrong = [...Array(data.nodes).keys()].find(v => v !== sender && !receivers.includes(v));
const answers = [];
for (const v of [sender, wrong]) {
	fire(node(v), 'click');
	answers.push($('info').textContent);
}
seen.judged = [...answers, shown().length];
for (const m of messages) {
	if (shown().some(p => p === `${m[0]}-${m[1]}` || p === `${m[1]}-${m[0]}`))
		continue;
	fire(node(m[0]), 'click');
	fire(node(m[1]), 'click');
}
seen.complete = [$('info').textContent, status(), shown().length];
key('q');
key(' ');
seen.play = [pressed('do-play'), status()];
key(' ');
seen.pause = pressed('do-play');
seen.width = [document.documentElement.scrollWidth, innerWidth];
seen.errors = errors;
const pre = document.createElement('pre');
pre.id = 'seen';
pre.textContent = JSON.stringify(seen);
document.body.append(pre);
})();
