// Requests to procd-web. Addresses are relative, so that the page also works below a path of a proxy.

import { causeOf, t } from './language.js';

class Failure extends Error {
  constructor(status, code, message, isEnglish = false, original = null, offer = null) {
    super(message);
    this.status = status;
    this.code = code;
    [this.isEnglish, this.original, this.offer] = [isEnglish, original, offer];
  }
}

const BASE = 'api/v1/';

export function address(...parts) {
  const query = typeof parts.at(-1) === 'object' ? parts.pop() : {};
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, value);
  }
  const path = BASE + parts.map((part) => encodeURIComponent(part)).join('/');
  return search.size ? `${path}?${search}` : path;
}

export function failureOf(status, body) {
  let told = {};
  try { told = JSON.parse(body) ?? {}; } catch { /* not from procd-web: a proxy, or cut off */ }
  if (status === 401) window.dispatchEvent(new Event('procd-login'));
  const [own] = causeOf(told.code) ?? [];
  return new Failure(status, told.code ?? 'web.answer', own ?? told.message ?? (status
    ? status === 413 ? t`A proxy between here and procd takes no files of this size. Its limit has to be raised.`
      : t`procd-web answered with an error (${String(status)}).` : t`procd-web does not answer. Look whether it runs, then try again.`), Boolean(!own && told.message), own && told.message, told.offer);
}

async function send(url, options = {}, patience = 60000) {
  const limits = [AbortSignal.timeout(patience)];
  if (options.signal) limits.push(options.signal);
  let answer, body;
  try {
    answer = await fetch(url, { ...options, signal: AbortSignal.any(limits), cache: 'no-store' });
    body = await answer.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw failureOf(0, '');
  }
  if (!answer.ok) throw failureOf(answer.status, body);
  if (!body) return null;
  try { return JSON.parse(body); } catch {
    throw new Failure(answer.status, 'web.answer', t`The answer of procd-web was cut off. Try again.`);
  }
}

export const get = (url, signal) => send(url, { signal });
export const post = (url, value, patience) => send(url, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value ?? {}),
}, patience);
export const postFile = (url, file) => send(url, {
  method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: file,
});

export const aborted = (error) => error?.name === 'AbortError';

let asked = null;

export function session() {
  asked ??= get(address('session')).catch((error) => { asked = null; throw error; });
  return asked;
}

let ruleNames = null;

/** Forgets the names of the rules, which were changed. */
export const forgetPipelines = () => { ruleNames = null; };

/** The names of the rules, for filters; none where they cannot be had. */
export function pipelines() {
  ruleNames ??= get(address('rules')).then((answer) => (answer.rules ?? []).map((rule) => rule.id))
    .catch(() => { ruleNames = null; return []; });
  return ruleNames;
}
