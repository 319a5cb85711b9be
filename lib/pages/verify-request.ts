/** The page that a person sees after asking for a sign-in link. It does not name the address: it is the same for all. */
import { html } from './html.js'
import { type PageFrame, renderLayout, siteName } from './layout.js'
import { toHref } from './links.js'

/** The page "Check your email". */
export function renderVerifyRequest({
  frame,
  homeUrl,
}: {
  readonly frame: PageFrame
  readonly homeUrl: string
}): string {
  return renderLayout(frame, {
    name: 'verify-request',
    title: 'Check your email',
    main: html`<h1>Check your email</h1>
<p class="text">We sent you a link to sign in. Please open it in this browser: in another one, you are asked to confirm first.</p>
<p class="text">Nothing there after a few minutes? Look in your spam folder, or go back, check the address and ask for another link. Only the newest one works.</p>
<div class="actions plain">
<a href="${toHref(homeUrl)}">Go to ${siteName(frame)}</a>
</div>`,
  })
}
