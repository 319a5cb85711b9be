/** The token endpoint's answer, brought into the form of RFC 6749 §5, from which some providers deviate. */

import { isRecord } from '../../base/guards.js'
import { withTimeout } from '../../base/timeout.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { withDecryptedToken } from './decrypt.js'

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly provider: ResolvedOAuthProvider
  readonly fetch: typeof fetch
  /** Milliseconds. */
  readonly timeout: number
  readonly url: string
  readonly init: RequestInit
  /** Called with the members of a successful answer before any of them is checked; again where the provider conforms it. */
  readonly onAnswer?: ((answer: Readonly<Record<string, unknown>>) => void) | undefined
}

/** Asks the token endpoint, in the provider's own way if it has one, and conforms the answer. */
export async function tokenResponse(request: TokenRequest): Promise<Response> {
  const { provider, fetch, url, init } = request
  const raw = provider.token.request
    ? await withTimeout(ownRequest(request), request.timeout, '`token.request`')
    : await fetch(url, init)
  await tellAnswer(request, raw)
  const response = (await provider.token.conform?.(raw.clone())) ?? raw
  if (response !== raw) await tellAnswer(request, response)
  return withDecryptedToken(provider, await conformed(provider, response))
}

async function tellAnswer({ onAnswer }: TokenRequest, response: Response): Promise<void> {
  if (!onAnswer || !response.ok) return
  const answer = membersOf(response, await response.clone().text())
  if (answer) onAnswer(answer)
}

/** The members of an answer in either of its forms. */
function membersOf(response: Response, text: string): Record<string, unknown> | undefined {
  return isForm(response) ? Object.fromEntries(new URLSearchParams(text)) : parseRecord(text)
}

function isForm({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').includes('application/x-www-form-urlencoded')
}

async function ownRequest({ provider, fetch, init }: TokenRequest): Promise<Response> {
  const body = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : String(init.body))
  const codeVerifier = body.get('code_verifier')
  const answer = await provider.token.request?.({
    provider,
    fetch,
    params: {
      code: body.get('code') ?? '',
      redirect_uri: body.get('redirect_uri') ?? '',
      ...(codeVerifier !== null && { code_verifier: codeVerifier }),
    },
  })
  return Response.json({ token_type: 'bearer', ...answer?.tokens })
}

/**
 * Form-encoded answers, and JSON of another media type, become JSON. An error with status 200 becomes a 400, since
 * openid-client would take it for a success. The id_token of a plain OAuth 2 provider is dropped, since nobody verifies it.
 */
async function conformed(provider: ResolvedOAuthProvider, response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? ''
  if (!isForm(response) && provider.type === 'oidc' && response.status !== 200) return response
  const text = await response.text()
  const body = membersOf(response, text)
  if (!body) return rebuilt(response, text, { status: response.status, type })
  const { id_token: _unverified, ...others } = body
  const kept: Record<string, unknown> = provider.type === 'oauth' ? others : body
  if (isForm(response) && typeof kept.expires_in === 'string') kept.expires_in = Number(kept.expires_in)
  const failed = response.status === 200 && typeof body.error === 'string' && typeof body.access_token !== 'string'
  return rebuilt(response, JSON.stringify(kept), { status: failed ? 400 : response.status, type: 'application/json' })
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function rebuilt(response: Response, text: string, { status, type }: { status: number; type: string }): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', type)
  headers.delete('content-length')
  headers.delete('content-encoding')
  return new Response(text || null, { status, headers })
}
