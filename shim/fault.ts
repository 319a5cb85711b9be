/** The answer to a request that could not be answered. */
import { randomText } from '../lib/crypto/random.js'
import { renderError } from '../lib/pages/index.js'
import { answer, plain, wantsJson } from './answers.js'

/**
 * A fault that the log tells about: in the configuration, or in ourselves. `url` is what the client asked for; `detail` is for
 * development only.
 */
export function fault(request: Request, { url, detail }: { url: string; detail: string | undefined }): Response {
  if (wantsJson(request) || !request.headers.get('accept')?.includes('text/html')) {
    const message = detail ?? 'The server could not answer. Its log has the reason.'
    return plain(request, { status: 500, error: 'Configuration', message })
  }
  const nonce = randomText(16)
  const { origin, host } = new URL(url)
  const html = renderError({
    frame: { nonce, theme: {}, host },
    error: 'Configuration',
    signInUrl: origin,
    homeUrl: origin,
    ...(detail !== undefined && { detail }),
  })
  return answer(500, html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:; style-src 'nonce-${nonce}'`,
  })
}
