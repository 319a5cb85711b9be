/** The page on which a signed-in user allows an app to use their account. It needs no script. */
import { html } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderConfirmationForm, renderUser } from '../../pages/parts.js'
import { translate, translateHtml } from '../../pages/texts.js'
import type { User } from '../../types/identity.js'

/** The content of the page. */
export interface AppPage {
  readonly frame: PageFrame
  /** The name of the app. */
  readonly name: string
  readonly user: User
  /** The public id of the session. The form approves in this session only. */
  readonly session: string
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  /** The redirect URL of the app, with the error of a cancelled request. */
  readonly cancelUrl: string
  readonly signOutUrl: string
}

/** Renders the page. */
export function renderApp({ frame, name, user, session, signOutUrl, ...form }: AppPage): string {
  const { language } = frame
  return renderLayout(frame, {
    name: 'app',
    title: translate(language, 'app.title', { app: name }),
    main: html`<h1>${translateHtml(language, 'app.title', { app: html`<bdi>${name}</bdi>` })}</h1>
<p class="lead">${translateHtml(language, 'app.lead', { site: renderSite(frame) })}</p>
${renderUser(user)}<p class="text">${translate(language, 'app.advice')}</p>
${renderConfirmationForm({ ...form, language, fields: { session }, button: translate(language, 'signIn.continue') })}
<div class="actions">
<a href="${toHref(signOutUrl)}">${translate(language, 'app.otherAccount')}</a>
</div>`,
  })
}
