/** What each built-in page needs of a request. */
import type { AuthContext } from '../context.js'
import { randomText } from '../crypto/random.js'
import type { AuthResponse } from '../http/message.js'
import type { PageFrame } from '../pages/index.js'

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
