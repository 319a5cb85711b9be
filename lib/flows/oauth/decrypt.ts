/**
 * id_tokens and userinfo answers that the provider has encrypted for us (OpenID Connect Core §10.2). They are decrypted as they arrive, so that
 * every check sees what is inside: a nested, signed token.
 */
import { type CompactJWEHeaderParameters, compactDecrypt, decodeProtectedHeader } from 'jose'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { importKey } from './private-keys.js'

/** What the content may be encrypted with (RFC 7518 §5). */
const contentEncryptionAlgorithms = ['A128GCM', 'A192GCM', 'A256GCM', 'A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512']

/** Whether a text has the five parts of an encrypted token (RFC 7516 §7.1). */
function isEncrypted(text: string): boolean {
  return /^[\w-]+(?:\.[\w-]*){4}$/.test(text)
}

/**
 * What a token says, decrypted if it was encrypted.
 *
 * @param what For errors: `id_token`, `userinfo answer`.
 * @param agreed The algorithm that was agreed on, where there is one: then it must be encrypted, and with it.
 * @throws {TypeError} where none of our keys opens it, or it is not encrypted as agreed.
 */
export async function decrypted(
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

/** The token endpoint's answer, with the id_token decrypted. */
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
  const token = await decrypted(provider, body.id_token, { what: 'id_token', agreed })
  return Response.json({ ...body, id_token: token })
}

/** The userinfo endpoint's answer, decrypted: what was inside is a signed token, or JSON. */
export async function withDecryptedUserinfo(provider: ResolvedOAuthProvider, response: Response): Promise<Response> {
  const { protocol, client } = provider
  const agreed = client.userinfo_encrypted_response_alg
  if (response.status !== 200 || (protocol.decryptionKeys.length === 0 && agreed === undefined)) return response
  const isToken = response.headers.get('content-type')?.startsWith('application/jwt') ?? false
  if (!isToken && agreed === undefined) return response
  const content = await decrypted(provider, (await response.text()).trim(), { what: 'userinfo answer', agreed })
  const type = content.startsWith('{') ? 'application/json' : 'application/jwt'
  return new Response(content, { status: 200, headers: { 'content-type': type } })
}
