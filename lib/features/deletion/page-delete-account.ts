/** The page on which the signed-in user deletes their account. */
import type { OwnDeletion } from '../../contracts/index.js'
import { html } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderConfirmationForm, renderName } from '../../pages/parts.js'
import { formatDuration, translate, translateHtml } from '../../pages/texts.js'

/** The content of the page. */
export interface DeleteAccountPage {
  readonly frame: PageFrame
  readonly state: OwnDeletion
  /** The days for which the account is kept; 0 if it is deleted at once. */
  readonly graceDays: number
  /** The URL that the form is posted to. */
  readonly action: string
  readonly signInUrl: string
  readonly csrfToken: string
}

/** Renders the page: a form for users who signed in a moment ago, and for others the reason why there is none. */
export function renderDeleteAccount(page: DeleteAccountPage): string {
  const { frame, state, graceDays, action, signInUrl, csrfToken } = page
  const { language } = frame
  const title = translate(language, 'deleteAccount.title')
  const time = formatDuration(language, graceDays * 24 * 60 * 60)
  const main = () => {
    if (state.kind === 'ready') {
      const button = translate(language, 'deleteAccount.button')
      const lead = translateHtml(language, 'deleteAccount.lead', {
        site: renderSite(frame),
        address: renderName(state.label),
      })
      const grace = html`<p class="text">${translate(language, 'deleteAccount.grace', { time })}</p>\n`
      return html`<p class="lead">${lead}</p>
${graceDays > 0 && grace}${renderConfirmationForm({ language, action, csrfToken, button })}`
    }
    if (state.kind === 'done') {
      const text =
        graceDays > 0
          ? translate(language, 'deleteAccount.scheduled', { time })
          : translate(language, 'deleteAccount.done')
      return html`<p class="text">${text}</p>`
    }
    if (state.kind === 'refused' || state.kind === 'lastOwner')
      return html`<p class="text">${translate(language, 'deleteAccount.refused')}</p>`
    const text = translate(language, state.kind === 'stale' ? 'deleteAccount.signInAgain' : 'password.signInFirst')
    return html`<p class="text">${text}</p>
<div class="actions">
<a href="${toHref(signInUrl)}">${translate(language, 'signIn.button')}</a>
</div>`
  }
  return renderLayout(frame, { name: 'delete-account', title, main: html`<h1>${title}</h1>\n${main()}` })
}
