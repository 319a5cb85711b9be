/**
 * The page after a request for an email. It contains the email address only if this browser has asked for the email,
 * and is the same for known and unknown addresses.
 */
import { type Html, html } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'
import { renderFields, renderHiddenInputs, renderName } from './parts.js'
import { formatDuration, translate, translateHtml } from './texts.js'

/** The content of the page. */
export interface VerifyRequestPage {
  readonly frame: PageFrame
  /** The purpose of the email. Default: a link that signs in. */
  readonly after?: 'signUp' | 'reset' | undefined
  readonly csrfToken: string
  /** The email that this browser has asked for. Absent in other browsers, and after a quarter of an hour. */
  readonly mail?: RequestedMail | undefined
  /** The outcome of a request for another email: sent, or the seconds until one may be sent. */
  readonly again?: 'sent' | { readonly wait: number } | undefined
  readonly signInUrl: string
  /** True if the sign-in page has other sign-in methods than an email link. */
  readonly hasOtherMethods: boolean
  /** The URL of the form that takes the address to the other sign-in methods. Absent if they do not ask for it first. */
  readonly identifierUrl?: string | undefined
  readonly homeUrl: string
}

/** An email that this browser has asked for. */
export interface RequestedMail {
  readonly address: string
  /** The URL that the form for another email is posted to, and its fields. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly callbackUrl?: string | undefined
}

/** Renders the page "Check your email". */
export function renderVerifyRequest(page: VerifyRequestPage): string {
  const { frame, mail, homeUrl } = page
  const { language } = frame
  const title = translate(language, 'verifyRequest.title')
  return renderLayout(frame, {
    name: 'verify-request',
    title,
    main: html`<h1>${title}</h1>
${renderOutcome(page)}<p class="text">${renderText(page)}</p>
<p class="text">${translate(language, mail ? 'verifyRequest.wait' : 'verifyRequest.help')}</p>
${mail && renderForm(page, mail)}<div class="actions plain">
${renderOther(page)}<a href="${toHref(homeUrl)}">${translateHtml(language, 'page.home', { site: siteName(frame) })}</a>
</div>`,
  })
}

function renderText({ frame: { language }, after: kind, mail }: VerifyRequestPage): Html | string {
  const after = kind ?? 'text'
  if (!mail) return translate(language, `verifyRequest.${after}`)
  return translateHtml(language, `verifyRequest.${after}To`, { address: renderName(mail.address) })
}

function renderOutcome({ frame: { language }, again }: VerifyRequestPage): Html | false {
  if (again === undefined) return false
  if (again === 'sent')
    return html`<div class="note" role="status"><p>${translate(language, 'verifyRequest.sentAgain')}</p></div>\n`
  // Whole minutes, rounded up: a text that is too short would lead to another rejection.
  const seconds = again.wait < 60 ? again.wait : Math.ceil(again.wait / 60) * 60
  const wait = formatDuration(language, seconds)
  return html`<div class="error" role="alert"><p>${translate(language, 'verifyRequest.limited', { wait })}</p></div>\n`
}

function renderForm({ frame, csrfToken }: VerifyRequestPage, { action, fields, callbackUrl }: RequestedMail): Html {
  return html`<div class="entries">
<form method="post" action="${toHref(action)}">
${renderHiddenInputs(csrfToken, callbackUrl)}
${renderFields(fields)}<button type="submit" class="button quiet">${translate(frame.language, 'verifyRequest.again')}</button>
</form>
</div>
`
}

/** Renders the way to the other sign-in methods. The address is in no URL, so a form takes it along. */
function renderOther(page: VerifyRequestPage): Html {
  const { frame, mail, signInUrl, hasOtherMethods, identifierUrl, csrfToken } = page
  const text = translate(frame.language, hasOtherMethods ? 'verifyRequest.otherMethod' : 'signIn.otherAddress')
  if (!mail || !hasOtherMethods || identifierUrl === undefined)
    return html`<a href="${toHref(signInUrl)}">${text}</a>\n`
  return html`<form method="post" action="${toHref(identifierUrl)}">
${renderHiddenInputs(csrfToken, mail.callbackUrl)}
<input type="hidden" name="identifier" value="${mail.address}">
<button type="submit" class="as-link">${text}</button>
</form>
`
}
