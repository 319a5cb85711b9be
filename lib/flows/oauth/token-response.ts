/** Converts the responses of token endpoints to the format of RFC 6749 §5, from which some providers deviate. */

import { type CompactJWEHeaderParameters, compactDecrypt, decodeProtectedHeader } from 'jose'
import { parseRecord } from '../../base/json.js'
import { withTimeout } from '../../base/timeout.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { importKey } from './client-authentication.js'

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly provider: ResolvedOAuthProvider
  readonly fetch: typeof fetch
  /** In milliseconds. */
  readonly timeout: number
  readonly url: string
  readonly init: RequestInit
  /**
   * Called with the members of a successful response before they are checked; again if the provider's `conform` changes
   * it.
   */
  readonly onResponse?: ((answer: Readonly<Record<string, unknown>>) => void) | undefined
}

/** Calls the token endpoint, or the provider's own `token.request`, and conforms the response. */
export async function tokenResponse(request: TokenRequest): Promise<Response> {
  const { provider, fetch, url, init } = request
  const raw = provider.token.request
    ? await withTimeout(customTokenRequest(request), request.timeout, '`token.request`')
    : await fetch(url, init)
  await reportMembers(request, raw)
  const response = (await provider.token.conform?.(raw.clone())) ?? raw
  if (response !== raw) await reportMembers(request, response)
  return withDecryptedToken(provider, await conformResponse(provider, response))
}

async function reportMembers({ onResponse }: TokenRequest, response: Response): Promise<void> {
  if (!onResponse || !response.ok) return
  const answer = responseMembers(response, await response.clone().text())
  if (answer) onResponse(answer)
}

/** Returns the members of a form-encoded or JSON response. */
function responseMembers(response: Response, text: string): Record<string, unknown> | undefined {
  return isFormResponse(response) ? Object.fromEntries(new URLSearchParams(text)) : parseRecord(text)
}

function isFormResponse({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').includes('application/x-www-form-urlencoded')
}

async function customTokenRequest({ provider, fetch, init }: TokenRequest): Promise<Response> {
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
 * Converts form-encoded responses, and JSON of another media type, to JSON. An error with status 200 becomes a 400,
 * because openid-client would treat it as a success. The id_token of a plain OAuth 2 provider is dropped, because it is
 * not verified.
 */
async function conformResponse(provider: ResolvedOAuthProvider, response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? ''
  if (!isFormResponse(response) && provider.type === 'oidc' && response.status !== 200) return response
  const text = await response.text()
  const body = responseMembers(response, text)
  if (!body) return responseWithBody(response, text, { status: response.status, type })
  const { id_token: _unverified, ...others } = body
  const kept: Record<string, unknown> = provider.type === 'oauth' ? others : body
  if (isFormResponse(response) && typeof kept.expires_in === 'string') kept.expires_in = Number(kept.expires_in)
  const failed = response.status === 200 && typeof body.error === 'string' && typeof body.access_token !== 'string'
  return responseWithBody(response, JSON.stringify(kept), {
    status: failed ? 400 : response.status,
    type: 'application/json',
  })
}

function responseWithBody(
  response: Response,
  text: string,
  { status, type }: { status: number; type: string },
): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', type)
  headers.delete('content-length')
  headers.delete('content-encoding')
  return new Response(text || null, { status, headers })
}

/* ---- decrypt ----------------------------------------------------------------------------------------------------- */

// id_tokens and userinfo responses that the provider has encrypted (OpenID Connect Core §10.2). They are decrypted on
// arrival, so that every check sees their content: a nested, signed token.

/** The accepted algorithms of content encryption (RFC 7518 §5). */
const contentEncryptionAlgorithms = ['A128GCM', 'A192GCM', 'A256GCM', 'A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512']

/** Checks whether a text has the five parts of an encrypted token (RFC 7516 §7.1). */
function isEncrypted(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]*){4}$/.test(text)
}

/**
 * Returns the content of a token, decrypted if necessary.
 *
 * @param what The subject of errors: `id_token`, `userinfo response`.
 * @param agreed The agreed algorithm, if any. The token must then be encrypted with it.
 * @throws {TypeError} if no key decrypts it, or it is not encrypted as agreed.
 */
export async function decryptToken(
  provider: Pick<ResolvedOAuthProvider, 'protocol'>,
  token: string,
  { what, agreed }: { what: string; agreed: string | undefined },
): Promise<string> {
  const { decryptionKeys } = provider.protocol
  if (!isEncrypted(token)) {
    if (agreed === undefined) return token
    throw new TypeError(`the ${what} is not encrypted, and \`client\` says that it must be (${agreed})`)
  }
  if (decryptionKeys.length === 0) throw new TypeError(`the ${what} is encrypted: set \`decryptionKeys\``)
  const { kid, alg } = readHeader(token, what)
  if (agreed !== undefined && alg !== agreed)
    throw new TypeError(`the ${what} is encrypted with another algorithm than ${agreed}`)
  const candidates = decryptionKeys.filter((key) => key.alg === alg && (kid === undefined || key.kid === kid))
  for (const candidate of candidates) {
    const { key } = await importKey(candidate)
    const opened = await compactDecrypt(token, key, {
      keyManagementAlgorithms: [candidate.alg],
      contentEncryptionAlgorithms,
    }).catch(() => undefined)
    if (opened) return new TextDecoder().decode(opened.plaintext)
  }
  throw new TypeError(`no key of \`decryptionKeys\` opens the ${what}`)
}

function readHeader(token: string, what: string): CompactJWEHeaderParameters {
  try {
    return decodeProtectedHeader(token) as CompactJWEHeaderParameters
  } catch {
    throw new TypeError(`the header of the encrypted ${what} cannot be read`)
  }
}

/** Returns the token response with its id_token decrypted. */
export async function withDecryptedToken(provider: ResolvedOAuthProvider, response: Response): Promise<Response> {
  const { protocol, client, type } = provider
  const agreed = client.id_token_encrypted_response_alg
  if (type !== 'oidc' || response.status !== 200) return response
  if (protocol.decryptionKeys.length === 0 && agreed === undefined) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof body !== 'object' || body === null || !('id_token' in body) || typeof body.id_token !== 'string')
    return response
  const token = await decryptToken(provider, body.id_token, { what: 'id_token', agreed })
  return Response.json({ ...body, id_token: token })
}

/** Returns the decrypted userinfo response: a signed token, or JSON. */
export async function withDecryptedUserinfo(provider: ResolvedOAuthProvider, response: Response): Promise<Response> {
  const { protocol, client } = provider
  const agreed = client.userinfo_encrypted_response_alg
  if (response.status !== 200 || (protocol.decryptionKeys.length === 0 && agreed === undefined)) return response
  const isToken = response.headers.get('content-type')?.startsWith('application/jwt') ?? false
  if (!isToken && agreed === undefined) return response
  const content = await decryptToken(provider, (await response.text()).trim(), { what: 'userinfo response', agreed })
  const type = content.startsWith('{') ? 'application/json' : 'application/jwt'
  return new Response(content, { status: 200, headers: { 'content-type': type } })
}
