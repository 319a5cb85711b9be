/** What every form of ours carries. */
import type { Html } from './html.js'
import { html } from './html.js'

/**
 * The hidden inputs: the CSRF token, where to go afterwards, and the marker of a form navigation, by which a reply that
 * leads off the site is told from one to a script.
 */
export function renderHiddenInputs(csrfToken: string, callbackUrl: string | undefined): Html {
  return html`<input type="hidden" name="csrfToken" value="${csrfToken}">
${callbackUrl !== undefined && html`<input type="hidden" name="callbackUrl" value="${withinLimit(callbackUrl)}">\n`}<input type="hidden" name="navigation" value="form">`
}

/** Too long is left out rather than cut: half an URL would be another one. Without it the default applies. */
function withinLimit(callbackUrl: string): string {
  return callbackUrl.length <= 2048 ? callbackUrl : ''
}
