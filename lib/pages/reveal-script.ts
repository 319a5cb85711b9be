/**
 * The script that lets users see the password they type. Without scripts the input stays a password input. When the
 * form is sent it is a password input again, because browsers store the values of plain inputs.
 */
import type { Theme } from '../types/theme.js'
import { type Html, html, raw } from './html.js'

const eye =
  '\\x3csvg aria-hidden="true" viewBox="0 0 24 24"><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/><path class="slash" d="M4 20 20 4"/></svg>'

const script = `for(const i of document.querySelectorAll('.concealed input')){
const b=document.createElement('button');b.type='button';b.className='reveal';b.innerHTML='${eye}';i.after(b);
const s=o=>{i.type=o?'text':'password';b.setAttribute('aria-pressed',o);b.title=o?i.dataset.hide:i.dataset.show;b.setAttribute('aria-label',i.dataset.show)};
s(false);b.onclick=()=>{s(i.type==='password');i.focus()};i.form.addEventListener('submit',()=>s(false));addEventListener('pagehide',()=>s(false))}`

/** Checks whether the pages offer to show passwords. */
export function showsPasswords({ showPassword }: Theme): boolean {
  return showPassword !== false
}

/** Renders the script. It must follow the last form. */
export function renderRevealScript(nonce: string): Html {
  return html`<script nonce="${nonce}">${raw(script)}</script>`
}
