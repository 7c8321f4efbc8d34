// Shown in place of everything where the browser has no valid cookie.
import { address, get, post } from './api.js';
import { h, icon, put, say } from './dom.js';
import { t } from './language.js';

export function open(root) {
  const told = h('p.told', { role: 'alert' });
  const body = h('div.stack', h('p.soft', t`Asking how to log in…`));
  root.append(h('section.login.card',
    h('span.mark', icon('file')), h('h1', t`Who is there?`), body));

  const form = () => {
    const field = h('input', { type: 'password', id: 'password', autocomplete: 'current-password', required: true });
    const button = h('button.primary', t`Log in`);
    return h('form.stack', { onsubmit: async (event) => {
      event.preventDefault();
      button.disabled = true;
      say(told, '');
      try {
        await post(address('login'), { password: field.value });
        location.reload();
      } catch (error) {
        say(told, error.status === 401 ? t`This is not the password. Try again.` : error.message);
        button.disabled = false;
        field.select();
      }
    } }, h('label', { for: 'password' }, t`Password of this procd`), field, told, button);
  };

  const link = () => h('div.stack',
    h('p', t`This page opens only with the link that belongs to it. On the machine where procd runs, type`),
    h('pre.command', 'procd web open'),
    h('p', t`and open the link that it prints in this browser. Then this page is open to you until you log out.`),
    h('button', { onclick: () => location.reload() }, t`I have opened it: try again`));

  get(address('login')).catch((error) => ({ password: error.status !== 404 && error.status !== 0, error }))
    .then((answer) => {
      put(body, answer.password ? form() : link());
      root.querySelector('input')?.focus();
    });
  return { title: () => t`Log in` };
}
