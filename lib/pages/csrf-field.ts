/** The hidden input of the CSRF token, for forms of our pages and of applications. */
import { type Html, html } from './html.js'

/** Renders the input. */
export function renderCsrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="csrfToken" value="${csrfToken}">`
}
