/** Creates the responses of built-in pages. */
import type { AuthContext, LanguageRequest } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import type { AuthResponse } from '../http/message.js'
import type { PageFrame } from './layout.js'

/** A response that is a page. */
export type PageResponse = Extract<AuthResponse, { kind: 'page' }>

/** The parts of a request that a page needs. */
export interface PageContext {
  readonly config: Pick<AuthContext['config'], 'languages' | 'theme'>
  readonly request: LanguageRequest
  readonly urls: Pick<AuthContext['urls'], 'host'>
}

/** Returns the response of a page, rendered with a fresh nonce. */
export function pageResponse(
  { config, request, urls }: PageContext,
  status: number,
  render: (frame: PageFrame) => string,
): PageResponse {
  const nonce = randomText(16)
  const language = config.languages.forRequest(request)
  const html = render({ nonce, theme: config.theme, host: urls.host, language })
  const headers = { 'content-language': language.locale }
  return { kind: 'page', html, nonce, status, ...(config.languages.areNegotiated && { headers }) }
}
