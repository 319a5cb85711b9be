/** The page that offers a passkey after a sign-in with a password. */
import { html } from './html.js'
import { type PageFrame, renderLayout, renderSite } from './layout.js'
import { toHref } from './links.js'
import { renderPasskeyForm, renderPasskeyScript } from './passkey-form.js'
import { translate, translateHtml } from './texts.js'

/** The content of the page. */
export interface PasskeyOfferPage {
  readonly frame: PageFrame
  /** The URL of the callback. */
  readonly action: string
  /** The URL of `webauthn-options`. */
  readonly optionsUrl: string
  readonly csrfToken: string
  /** The URL to which the user continues, with or without a passkey. */
  readonly callbackUrl: string
}

/** Renders the page. */
export function renderPasskeyOffer({ frame, action, optionsUrl, csrfToken, callbackUrl }: PasskeyOfferPage): string {
  const { language } = frame
  const title = translate(language, 'passkey.offerTitle')
  const form = { id: 'passkey', name: '', action, optionsUrl, inputs: {}, conditional: false, sendsEmail: false }
  const button = translate(language, 'passkey.offerButton')
  return renderLayout(frame, {
    name: 'passkey-offer',
    title,
    main: html`<h1>${title}</h1>
<p class="text">${translateHtml(language, 'passkey.offerText', { site: renderSite(frame) })}</p>
<div class="entries">
${renderPasskeyForm(form, { language, csrfToken, callbackUrl, isAlone: true, isPrimary: true, registers: button })}
</div>
<div class="actions">
<a href="${toHref(callbackUrl)}">${translate(language, 'passkey.notNow')}</a>
</div>${renderPasskeyScript(frame.nonce)}`,
  })
}
