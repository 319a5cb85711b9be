/** The page behind a link that changes a user's address. Nothing has happened yet: the button does it. */
import type { AddressChange } from '../contracts/index.js'
import { type Html, html } from './html.js'
import { type PageFrame, renderLayout, renderSite } from './layout.js'
import { toHref } from './links.js'
import { renderName, renderQuestion } from './parts.js'
import { htmlOf, textOf } from './words.js'

/** What the page shows. */
export interface ChangeEmailPage {
  readonly frame: PageFrame
  /** URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly signInUrl: string
  readonly signOutUrl: string
  readonly change: AddressChange
  /** Who is signed in, as far as that is known. */
  readonly who?: string
}

/** The page: a question to the user whose address it is, and to all others the advice to sign in. */
export function renderChangeEmail(page: ChangeEmailPage): string {
  const title = textOf(page.frame.language, 'changeEmail.title')
  return renderLayout(page.frame, {
    name: 'change-email',
    title,
    main: html`<h1>${title}</h1>\n${page.change.ask ? renderChange(page, page.change.ask) : renderAdvice(page)}`,
  })
}

function renderChange(
  { frame, action, csrfToken, change, who }: ChangeEmailPage,
  { from, fields }: NonNullable<AddressChange['ask']>,
): Html {
  const { language } = frame
  const before =
    from === null
      ? textOf(language, 'changeEmail.hadNone')
      : htmlOf(language, 'changeEmail.before', { address: renderName(from) })
  const button = textOf(language, 'changeEmail.button')
  return html`<p class="lead">${htmlOf(language, 'changeEmail.lead', { site: renderSite(frame), address: renderName(change.to) })}</p>
<p class="text">${before}</p>
${who !== undefined && html`<p class="text">${htmlOf(language, 'changeEmail.signedIn', { person: renderName(who) })}</p>\n`}${renderQuestion({ language, action, csrfToken, fields, button })}`
}

/** Who is signed in signs out first: another sign-in would be linked to their account. */
function renderAdvice({ frame, change, signInUrl, signOutUrl, who }: ChangeEmailPage): Html {
  const { language } = frame
  const about = htmlOf(language, 'changeEmail.about', { address: renderName(change.to), site: renderSite(frame) })
  const advice =
    who === undefined
      ? textOf(language, 'changeEmail.signInFirst')
      : htmlOf(language, 'changeEmail.signOutFirst', { person: renderName(who) })
  const [url, key] =
    who === undefined ? ([signInUrl, 'signIn.button'] as const) : ([signOutUrl, 'signOut.button'] as const)
  return html`<p class="lead">${about}</p>
<p class="text">${advice}</p>
<p class="text">${textOf(language, 'changeEmail.notYours')}</p>
<div class="actions">
<a href="${toHref(url)}">${textOf(language, key)}</a>
</div>`
}
