/**
 * The page behind a mailed link in a browser that did not ask for it. A program that looks at links sees it too, so
 * nothing has happened yet: the button signs in.
 */
import type { ConfirmEffect } from '../contracts/index.js'
import { type Html, html, shorten } from './html.js'
import { type PageFrame, renderLayout, renderSite } from './layout.js'
import { type RememberBox, renderName, renderQuestion } from './parts.js'
import { htmlOf, textOf } from './words.js'

/** What the confirm page shows. */
export interface ConfirmEmailPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  /** What the link said, to be posted as it is: `token`, `email`, `callbackUrl` … */
  readonly fields: Readonly<Record<string, string>>
  /** Whom the link signs in. */
  readonly address: string
  /** What it does to who is signed in here. Default: it signs in. */
  readonly effect?: ConfirmEffect
  readonly remember?: RememberBox | undefined
  /** Who is signed in here, where that is somebody else. */
  readonly who?: string
}

/** The confirm page. */
export function renderConfirmEmail(page: ConfirmEmailPage): string {
  const { frame, action, csrfToken, fields, address, remember } = page
  const { language } = frame
  // What every form of ours carries anyway, a link cannot say.
  const { callbackUrl, csrfToken: _token, navigation: _mark, ...rest } = fields
  const title = textOf(language, 'confirmEmail.title')
  const named = html`<bdi>${shorten(address, 254)}</bdi>`
  const button = html`<span>${htmlOf(language, 'confirmEmail.button', { address: named })}</span>`
  return renderLayout(frame, {
    name: 'confirm-email',
    title,
    main: html`<h1>${title}</h1>
<p class="lead">${htmlOf(language, 'confirmEmail.lead', { site: renderSite(frame), address: renderName(address) })}</p>
<p class="text">${textOf(language, 'confirmEmail.advice')}</p>
${renderWarning(page)}${renderQuestion({ language, action, csrfToken, callbackUrl, fields: rest, remember, button })}`,
  })
}

/** What a person should know before they go on. */
function renderWarning({ frame: { language }, effect = 'sign-in', who }: ConfirmEmailPage): Html | false {
  if (effect === 'sign-in') return false
  const person = renderName(who ?? textOf(language, 'confirmEmail.somebody'))
  const text =
    effect === 'prove'
      ? textOf(language, 'confirmEmail.prove')
      : htmlOf(language, effect === 'other-user' ? 'confirmEmail.otherUser' : 'confirmEmail.newUser', { person })
  return html`<div class="error" role="note"><p>${text}</p></div>\n`
}
