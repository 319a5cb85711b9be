/** The page on which users choose the active organization. It needs no script. */
import { type Html, html, shorten } from '../../pages/html.js'
import { type PageFrame, renderLayout, renderSite } from '../../pages/layout.js'
import { toHref } from '../../pages/links.js'
import { renderHiddenInputs, renderMarked } from '../../pages/parts.js'
import { translate, translateHtml } from '../../pages/texts.js'
import type { OrganizationEntry } from './types.js'

/** The content of the page. */
export interface OrganizationsPage {
  readonly frame: PageFrame
  readonly entries: readonly OrganizationEntry[]
  /** The id of the active organization. */
  readonly active: string | undefined
  /** The URL that the form is posted to. */
  readonly action: string
  readonly csrfToken: string
  readonly callbackUrl: string
  readonly signOutUrl: string
}

/** Renders the page. */
export function renderOrganizations(page: OrganizationsPage): string {
  const { frame, entries, signOutUrl } = page
  const { language } = frame
  const title = translate(language, 'organization.title')
  const lead = entries.length > 0 ? 'organization.lead' : 'organization.none'
  return renderLayout(frame, {
    name: 'organization',
    title,
    main: html`<h1>${title}</h1>
<p class="lead">${translateHtml(language, lead, { site: renderSite(frame) })}</p>
${entries.length > 0 && renderForm(page)}<div class="actions plain">
<a href="${toHref(signOutUrl)}">${translate(language, 'signOut.button')}</a>
</div>`,
  })
}

function renderForm({ frame, entries, active, action, csrfToken, callbackUrl }: OrganizationsPage): Html {
  const mark = translate(frame.language, 'organization.active')
  return html`<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
<div class="entries">
${entries.map(({ id, name }) =>
  id === active
    ? html`${renderMarked(renderButton(id, name, html` aria-describedby="active"`), 'active', mark)}\n`
    : html`${renderButton(id, name, false)}\n`,
)}</div>
</form>
`
}

/** Renders the button of an organization. The name is isolated (`bdi`) from the text around. */
function renderButton(id: string, name: string, described: Html | false): Html {
  return html`<button type="submit" class="button quiet" name="organization" value="${id}"${described}><bdi>${shorten(name, 100)}</bdi></button>`
}
