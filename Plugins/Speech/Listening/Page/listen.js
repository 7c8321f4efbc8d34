'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId('data').textContent);
  const sound = byId('sound'), position = byId('position'), play = byId('play');
  const main = document.querySelector('main');
  const passages = [...main.querySelectorAll('[data-t]')];
  // parseInt stops at the first blank: the time of the first word is enough until the passage is met.
  const starts = passages.map((passage) => parseInt(passage.dataset.t, 10));
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let length = data.seconds;
  /** Where to begin once the browser knows the audio; null when it is there. */
  let wanted = null;
  let following = true;
  let lit = null, litPassage = -1;

  // The times and words of a passage, made when it is first met: a long book has 200,000 words.

  const known = new Map();
  const words = (index) => {
    let found = known.get(index);
    if (found) return found;
    const passage = passages[index];
    let time = 0;
    const times = passage.dataset.t.split(' ').map((step) => (time += Number(step)));
    const spans = [];
    const content = document.createDocumentFragment();
    for (const piece of passage.textContent.split(/([ \u200b])/)) {
      if (piece === ' ' || piece === '\u200b') {
        content.append(piece);
      } else if (piece !== '') {
        const span = document.createElement('span');
        span.textContent = piece;
        content.append(span);
        spans.push(span);
      }
    }
    passage.replaceChildren(content);
    found = { times, spans };
    known.set(index, found);
    return found;
  };

  /** The last place in a rising list whose value is not above a number. */
  const lastUpTo = (list, value, end) => {
    let low = 0, high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= value) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 1);
  };

  // Time

  const clock = (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    const two = (number) => String(number).padStart(2, '0');
    const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
    return (hours ? hours + ':' + two(minutes) : String(minutes)) + ':' + two(whole % 60);
  };
  const said = (seconds) => {
    const whole = Math.floor(seconds), parts = [];
    for (const [size, name] of [[3600, 'hour'], [60, 'minute'], [1, 'second']]) {
      const count = Math.floor(whole / size) % (size === 3600 ? 1e6 : 60);
      if (count) parts.push(count + ' ' + name + (count > 1 ? 's' : ''));
    }
    return parts.join(' ') || '0 seconds';
  };
  const now = () => (wanted === null ? sound.currentTime : wanted);

  // Showing

  const scrollTo = (element) => element.scrollIntoView({
    block: 'center', behavior: still.matches ? 'auto' : 'smooth',
  });

  // The pictures of scanned pages: beside the words where there is room, else folded above them.

  const scans = [...main.querySelectorAll('.scan')];
  const isWide = matchMedia('(min-width: 64rem)');
  const fold = () => { for (const scan of scans) scan.open = isWide.matches; };
  isWide.addEventListener('change', fold);
  fold();
  let pointer = null;
  /** Marks a word in the picture of its page. */
  const point = (passage, word) => {
    const place = passage.dataset.b?.split(' ')[word]?.split(',').map(Number) ?? [];
    if (pointer) pointer.hidden = true;
    pointer = place.length === 4 ? passage.closest('.sheet').querySelector('.frame i') : null;
    if (!pointer) return;
    ['left', 'top', 'width', 'height'].forEach((side, index) => { pointer.style[side] = place[index] / 10 + '%'; });
    pointer.hidden = false;
  };

  const light = (force) => {
    // A thousandth more, so that a jump to a word lights that word whatever the rounding.
    const time = now() * 1000 + 1;
    if (passages.length) {
      const index = lastUpTo(starts, time, starts.length);
      const { times, spans } = words(index);
      const span = spans[lastUpTo(times, time, spans.length)];
      if (index !== litPassage) {
        if (litPassage >= 0) passages[litPassage].classList.remove('here');
        passages[index].classList.add('here');
        litPassage = index;
      }
      if (span !== lit || force) {
        if (lit) lit.classList.remove('now');
        lit = span;
        span.classList.add('now');
        point(passages[index], spans.indexOf(span));
        if (following) {
          const box = span.getBoundingClientRect();
          const foot = byId('player').getBoundingClientRect().top;
          if (force || box.top < 60 || box.bottom > foot - 60) scrollTo(span);
        }
      }
    }
    if (document.activeElement !== position || !dragging) position.value = now();
    byId('passed').textContent = clock(now());
    byId('left').textContent = '−' + clock(length - now());
    position.setAttribute('aria-valuetext', said(now()) + ' of ' + said(length));
  };

  const follow = (yes) => {
    following = yes;
    byId('return').hidden = yes;
    if (yes) light(true);
  };

  // Moving

  const seek = (seconds) => {
    const time = Math.min(Math.max(0, seconds), Math.max(0, length - 0.01));
    if (sound.readyState >= 1) {
      wanted = null;
      sound.currentTime = time;
    } else {
      wanted = time;
    }
    light(false);
    keep();
  };
  const start = () => sound.play().catch((reason) => {
    if (reason.name !== 'AbortError') trouble();
  });
  const toggle = () => { if (sound.paused) start(); else sound.pause(); };
  const passageAt = () => lastUpTo(starts, now() * 1000 + 1, starts.length);
  const toPassage = (step) => {
    const index = passageAt();
    // Back within a passage goes to its beginning first.
    const again = step < 0 && now() * 1000 - starts[index] > 2000;
    const target = Math.min(Math.max(0, again ? index : index + step), starts.length - 1);
    follow(true);
    seek(starts[target] / 1000);
  };
  const toWord = (step) => {
    const index = passageAt(), { times, spans } = words(index);
    const target = lastUpTo(times, now() * 1000 + 1, spans.length) + step;
    if (target >= 0 && target < spans.length) return seek(times[target] / 1000);
    const other = index + step;
    if (other < 0 || other >= passages.length) return;
    const there = words(other);
    seek(there.times[step > 0 ? 0 : there.spans.length - 1] / 1000);
  };
  const toChapter = (step) => {
    const times = data.chapters.map((chapter) => chapter[0]);
    if (!times.length) return;
    const index = times[0] > now() ? -1 : lastUpTo(times, now() + 0.01, times.length);
    follow(true);
    seek(times[Math.min(Math.max(0, index + step), times.length - 1)]);
  };
  const speed = byId('speed');
  const setSpeed = (value) => {
    speed.value = String(value);
    sound.playbackRate = sound.defaultPlaybackRate = Number(speed.value) || 1;
    keep();
  };
  const changeSpeed = (step) => {
    const next = speed.options[speed.selectedIndex + step];
    if (next) setSpeed(next.value);
  };

  // The place is remembered where the browser allows it; some keep nothing for files.

  const place = 'procd.listen.' + data.id;
  let kept = 0;
  const keep = () => {
    kept = Date.now();
    try {
      localStorage.setItem(place, JSON.stringify({ time: now(), speed: speed.value }));
    } catch { /* The page works without. */ }
  };
  const remembered = () => {
    try { return JSON.parse(localStorage.getItem(place)) || {}; } catch { return {}; }
  };

  // The audio

  const trouble = () => {
    const opus = sound.canPlayType('audio/ogg; codecs=opus');
    byId('trouble').hidden = false;
    byId('trouble').querySelector('p').textContent = data.audio && opus
      ? 'The audio is in a file of its own, ' + data.audio + '. Keep it beside this page, or choose it here.'
      : 'This browser cannot play Opus audio. Use a newer one, or choose a WAV file of this narration.';
  };
  const load = () => {
    const holder = byId('audio');
    if (data.audio) {
      sound.src = encodeURIComponent(data.audio);
    } else {
      const text = holder.textContent, parts = [];
      // In pieces: phones have no room for the whole in three forms.
      for (let at = 0; at < text.length; at += 1 << 20) {
        const piece = atob(text.slice(at, at + (1 << 20)));
        const bytes = new Uint8Array(piece.length);
        for (let index = 0; index < piece.length; index++) bytes[index] = piece.charCodeAt(index);
        parts.push(bytes);
      }
      sound.src = URL.createObjectURL(new Blob(parts, { type: 'audio/ogg; codecs=opus' }));
    }
    holder.remove();
  };
  byId('choose').addEventListener('change', (event) => {
    const file = event.target.files[0];
    if (!file) return;
    wanted = now();
    sound.src = URL.createObjectURL(file);
    byId('trouble').hidden = true;
  });
  sound.addEventListener('error', trouble);
  sound.addEventListener('loadedmetadata', () => {
    if (Number.isFinite(sound.duration) && sound.duration > 0) length = sound.duration;
    position.max = length;
    if (wanted !== null) {
      sound.currentTime = wanted;
      wanted = null;
    }
    light(false);
  });
  const frame = () => {
    if (sound.paused) return;
    light(false);
    requestAnimationFrame(frame);
  };
  sound.addEventListener('play', () => {
    document.body.classList.add('playing');
    play.setAttribute('aria-label', 'Pause');
    requestAnimationFrame(frame);
    tellSession();
  });
  sound.addEventListener('pause', () => {
    document.body.classList.remove('playing');
    play.setAttribute('aria-label', 'Play');
    light(false);
    keep();
    tellSession();
  });
  sound.addEventListener('timeupdate', () => {
    // Without a screen no frames come; this goes on.
    light(false);
    if (Date.now() - kept > 2000) keep();
    tellSession();
  });
  sound.addEventListener('seeked', () => light(false));
  sound.addEventListener('ratechange', () => tellSession());
  addEventListener('pagehide', keep);

  // The lock screen and the keys of headphones

  let chapterTold = null;
  const tellSession = () => {
    if (!('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    session.playbackState = sound.paused ? 'paused' : 'playing';
    const times = data.chapters.map((chapter) => chapter[0]);
    const chapter = times.length && times[0] <= now()
      ? data.chapters[lastUpTo(times, now() + 0.01, times.length)][2] : data.title;
    if (chapter !== chapterTold && window.MediaMetadata) {
      chapterTold = chapter;
      session.metadata = new MediaMetadata({ title: chapter, album: data.title, artist: '' });
    }
    try {
      session.setPositionState({
        duration: length, playbackRate: sound.playbackRate, position: Math.min(now(), length),
      });
    } catch { /* Not all browsers have it. */ }
  };
  const answer = (name, action) => {
    try { navigator.mediaSession?.setActionHandler(name, action); } catch { /* Unknown there. */ }
  };
  answer('play', start);
  answer('pause', () => sound.pause());
  answer('stop', () => sound.pause());
  answer('seekbackward', (how) => seek(now() - (how.seekOffset || 10)));
  answer('seekforward', (how) => seek(now() + (how.seekOffset || 10)));
  answer('seekto', (how) => seek(how.seekTime));
  answer('previoustrack', () => (data.chapters.length > 1 ? toChapter(-1) : toPassage(-1)));
  answer('nexttrack', () => (data.chapters.length > 1 ? toChapter(1) : toPassage(1)));

  // Hands

  play.addEventListener('click', toggle);
  byId('back').addEventListener('click', () => seek(now() - 10));
  byId('forward').addEventListener('click', () => seek(now() + 10));
  byId('previous').addEventListener('click', () => toPassage(-1));
  byId('next').addEventListener('click', () => toPassage(1));
  byId('return').addEventListener('click', () => follow(true));
  byId('help').addEventListener('click', () => byId('keys').showModal());
  speed.addEventListener('change', () => setSpeed(speed.value));
  let dragging = false;
  position.addEventListener('pointerdown', () => { dragging = true; });
  addEventListener('pointerup', () => { dragging = false; });
  addEventListener('pointercancel', () => { dragging = false; });
  position.addEventListener('input', () => {
    following = true;
    byId('return').hidden = true;
    seek(Number(position.value));
  });
  const order = new Map(passages.map((passage, index) => [passage, index]));
  main.addEventListener('pointerover', (event) => {
    const passage = event.target.closest('[data-t]');
    if (passage) words(order.get(passage));
  });
  main.addEventListener('click', (event) => {
    const passage = event.target.closest('[data-t]');
    if (!passage || String(getSelection())) return;
    const { times, spans } = words(order.get(passage));
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const word = spans.indexOf(target);
    if (word < 0) return;
    following = true;
    byId('return').hidden = true;
    seek(times[word] / 1000);
    start();
  });
  for (const kind of ['wheel', 'touchmove']) {
    addEventListener(kind, () => { if (!sound.paused) follow(false); }, { passive: true });
  }
  const keys = {
    ' ': toggle, k: toggle, arrowleft: () => seek(now() - 5), arrowright: () => seek(now() + 5),
    j: () => toPassage(-1), l: () => toPassage(1), ',': () => toWord(-1), '.': () => toWord(1),
    p: () => toChapter(-1), n: () => toChapter(1), '-': () => changeSpeed(-1), '+': () => changeSpeed(1),
    '=': () => changeSpeed(1), f: () => follow(true), '?': () => byId('keys').showModal(),
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
    const name = event.key.toLowerCase(), at = event.target;
    if (at.matches('select, input[type=file]')) return;
    if (name === ' ' && at.matches('button, summary')) return;
    if (['pageup', 'pagedown', 'home', 'end', 'arrowup', 'arrowdown'].includes(name)) {
      if (at === position) { following = true; return; }
      if (!sound.paused) follow(false);
      return;
    }
    const action = keys[name];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // What the page says of itself

  const list = byId('contents').querySelector('ol');
  for (const [time, level, title] of data.chapters) {
    const item = document.createElement('li'), button = document.createElement('button');
    const name = document.createElement('span'), when = document.createElement('time');
    name.textContent = title;
    name.lang = document.documentElement.lang;
    when.textContent = clock(time);
    button.type = 'button';
    button.style.paddingInlineStart = 0.4 + (level - 1) * 1.1 + 'rem';
    button.append(name, when);
    button.addEventListener('click', () => { follow(true); seek(time); light(true); start(); });
    item.append(button);
    list.append(item);
  }
  byId('contents').hidden = data.chapters.length < 2;
  byId('about').textContent = said(data.seconds >= 600 ? Math.round(data.seconds / 60) * 60 : data.seconds)
    + (data.pages > 1 ? ' · ' + data.pages + ' pages' : '');

  position.max = length;
  const memory = remembered();
  if (memory.speed) setSpeed(memory.speed);
  if (memory.time > 0 && memory.time < length - 1) wanted = memory.time;
  load();
  light(wanted !== null);
})();
