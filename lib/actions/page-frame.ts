/** What each built-in page needs of a request. */
import type { AuthContext } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import type { AuthResponse } from '../http/message.js'
import { type PageFrame, renderError } from '../pages/index.js'

/** A page's answer: rendered with a fresh nonce. */
export function pageResponse(
  { config, urls }: AuthContext,
  status: number,
  render: (frame: PageFrame) => string,
): Extract<AuthResponse, { kind: 'page' }> {
  const nonce = randomText(16)
  const html = render({ nonce, theme: config.theme, host: new URL(urls.origin).host })
  return { kind: 'page', html, nonce, status }
}

/** The error page. `detail` is for developers; `reference` finds a person's report in the log. */
export function errorPageResponse(
  context: AuthContext,
  status: number,
  { type, detail, reference }: { type: string | undefined; detail: string | undefined; reference: string | undefined },
): Extract<AuthResponse, { kind: 'page' }> {
  const { urls } = context
  return pageResponse(context, status, (frame) =>
    renderError({
      frame,
      error: type,
      signInUrl: urls.page('signIn'),
      homeUrl: urls.home,
      ...(detail !== undefined && { detail }),
      ...(reference !== undefined && { reference }),
    }),
  )
}
