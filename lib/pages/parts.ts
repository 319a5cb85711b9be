/** Parts of several pages: the hidden inputs of a form, a question with its button, a badge, the signed-in user. */
import type { Language } from '../contracts/index.js'
import type { User } from '../types/identity.js'
import type { OAuthProviderButtonStyles } from '../types/provider-parts.js'
import { readColor } from './colors.js'
import { renderCsrfField } from './csrf-field.js'
import { type Html, html, shorten } from './html.js'
import { toHref } from './links.js'
import { translate } from './texts.js'

/**
 * Renders the hidden inputs: the CSRF token, the callback URL, and the marker of a form navigation, which distinguishes
 * a form from a script when the reply redirects to another site.
 */
export function renderHiddenInputs(csrfToken: string, callbackUrl: string | undefined): Html {
  return html`${renderCsrfField(csrfToken)}
${callbackUrl !== undefined && html`<input type="hidden" name="callbackUrl" value="${withinLimit(callbackUrl)}">\n`}<input type="hidden" name="navigation" value="form">`
}

/**
 * Returns a URL within the limit, otherwise an empty text: a cut URL would be another one. Without it the default
 * applies.
 */
export function withinLimit(callbackUrl: string): string {
  return callbackUrl.length <= 2048 ? callbackUrl : ''
}

/** Renders further hidden inputs. */
export function renderFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}`
}

/** Renders a button with the mark of the sign-in method that was used last in this browser. */
export function markLastUsed(language: Language, button: Html): Html {
  return renderMarked(button, 'last-used', translate(language, 'signIn.lastUsed'))
}

/** Renders a button with a mark. @param id The id of the mark, by which the button is described. */
export function renderMarked(button: Html, id: string, text: string): Html {
  return html`<div class="marked">${button}<span class="mark" id="${id}">${text}</span></div>`
}

/** The attribute of that button: screen readers read the mark after its name. */
export const describedByLastUsed: Html = html` aria-describedby="last-used"`

/** The checkbox "Keep me signed in". */
export interface RememberCheckbox {
  readonly isChecked: boolean
}

/** Renders the checkbox, in the form of a sign-in method. @param id Distinguishes the form from others of the page. */
export function renderRememberCheckbox(language: Language, { isChecked }: RememberCheckbox, id: string): Html {
  return html`<label class="check" for="remember-${id}"><input type="checkbox" name="remember" value="1" id="remember-${id}"${isChecked && html` checked`}><span>${translate(language, 'signIn.remember')}</span></label>`
}

/** A captcha on the sign-in page. */
export interface CaptchaWidget {
  readonly script: string
  readonly className?: string | undefined
  readonly siteKey?: string | undefined
}

/** Renders the element in a form that the captcha's script fills. */
export function renderCaptcha(language: Language, { className, siteKey }: CaptchaWidget): Html {
  return html`<div class="${className ?? 'captcha'}" data-sitekey="${siteKey ?? ''}"></div>
<noscript><p class="text">${translate(language, 'signIn.captcha')}</p></noscript>`
}

/** Renders the captcha's script. A module waits for the page by default; `defer` makes other scripts wait too. */
export function renderCaptchaScript({ script }: CaptchaWidget, nonce: string): Html {
  return html`<script nonce="${nonce}" src="${toHref(script)}"${/\.m(?:in\.)?js$/.test(script) && html` type="module"`} defer></script>`
}

/** A form with one button, and a link to cancel. */
export interface ConfirmationForm {
  readonly language: Language
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl?: string
  /** Further hidden inputs. */
  readonly fields?: Readonly<Record<string, string>>
  readonly remember?: RememberCheckbox | undefined
  readonly button: Html | string
  /** A second button, with its own form field. */
  readonly second?: { readonly name: string; readonly value: string; readonly text: string }
  /** The URL of "Cancel". Default: the root of the site. */
  readonly cancelUrl?: string
}

/** Renders the form. */
export function renderConfirmationForm({
  language,
  action,
  csrfToken,
  callbackUrl,
  fields = {},
  remember,
  button,
  second,
  cancelUrl = '/',
}: ConfirmationForm): Html {
  return html`<div class="actions">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${renderFields(fields)}${remember && html`${renderRememberCheckbox(language, remember, 'question')}\n`}<button type="submit" class="button" id="submitButton">${button}</button>${
    second &&
    html`\n<button type="submit" class="button quiet" name="${second.name}" value="${second.value}">${second.text}</button>`
  }
</form>
<a href="${toHref(cancelUrl)}">${translate(language, 'page.cancel')}</a>
</div>`
}

/**
 * Renders an address or a name, isolated (`bdi`) from the text around. 254: the longest address (RFC 5321 §4.5.3.1.3).
 */
export function renderName(name: string): Html {
  return html`<strong><bdi>${shorten(name, 254)}</bdi></strong>`
}

/**
 * Renders name and address of the user, isolated (`bdi`) from the text around. The picture is left out, because it
 * would be loaded from a third party.
 */
export function renderUser(user: User): Html | undefined {
  const name = readText(user.name)
  const email = readText(user.email)
  const title = name ?? email
  if (title === undefined) return undefined
  return html`<div class="user">${renderBadge(title)}<p><strong><bdi>${title}</bdi></strong>${
    name !== undefined && email !== undefined && html`<span><bdi>${email}</bdi></span>`
  }</p></div>\n`
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? shorten(value.trim(), 100) : undefined
}

/** Renders the badge. It repeats the name beside it, so it is hidden from screen readers. */
export function renderBadge(name: string, { logo, mark }: Pick<OAuthProviderButtonStyles, 'logo' | 'mark'> = {}): Html {
  if (logo !== undefined) return frame(html`<img src="${logo}" alt="" width="28" height="28">`)
  if (mark === undefined) return frame(initials(name))
  if (typeof mark === 'string') return frame(svg(18, html`<path fill="currentColor" d="${mark}"/>`))
  const layers = mark.map(({ path, color }) => html`<path fill="${readColor(color)}" d="${path}"/>`)
  return html`<span class="badge own" aria-hidden="true">${svg(20, html`${layers}`)}</span>`
}

function frame(mark: Html | string): Html {
  return html`<span class="badge" aria-hidden="true">${mark}</span>`
}

function svg(size: number, paths: Html): Html {
  return html`<svg viewBox="0 0 24 24" width="${size}" height="${size}">${paths}</svg>`
}

/**
 * Returns one or two letters: of the first two words, or of the capitals in one word (which distinguishes `GitHub` from
 * `Google`).
 */
function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '', second = ''] = words.length > 1 ? words : (words[0]?.split(/(?<=\p{Ll})(?=\p{Lu})/u) ?? [])
  return (firstCharacter(first) + firstCharacter(second)).toUpperCase()
}

function firstCharacter(word: string): string {
  return Array.from(word)[0] ?? ''
}
