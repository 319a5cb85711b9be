/** The page of an invitation. It needs no script. */
import { html } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderConfirmationForm, renderName } from '../../pages/parts.js'
import { translate, translateHtml } from '../../pages/texts.js'

/** The content of the page. */
export interface InvitationPage {
  readonly frame: PageFrame
  /** The name of the organization. */
  readonly organization: string
  /** The invited email address. */
  readonly email: string
  /** `true` if another user is signed in. The page has no form then. */
  readonly isOther: boolean
  /** The token of the link, which the form sends. */
  readonly token: string
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly signOutUrl: string
}

/** Renders the page. */
export function renderInvitation(page: InvitationPage): string {
  const { frame, organization, email, isOther, token, action, csrfToken, signOutUrl } = page
  const { language } = frame
  const title = translate(language, 'invitation.title')
  const lead = translateHtml(language, 'invitation.lead', {
    organization: renderName(organization),
    site: renderSite(frame),
  })
  const whose = translateHtml(language, 'invitation.address', { address: renderName(email) })
  const button = translate(language, 'invitation.button')
  const rest = isOther
    ? html`<p class="text">${translate(language, 'invitation.other')}</p>
<div class="actions">
<a href="${toHref(signOutUrl)}">${translate(language, 'signOut.button')}</a>
</div>`
    : renderConfirmationForm({ language, action, csrfToken, fields: { token }, button })
  return renderLayout(frame, {
    name: 'invitation',
    title,
    main: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="text">${whose}</p>
${rest}`,
  })
}
