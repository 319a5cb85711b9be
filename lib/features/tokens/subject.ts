/** The claims of an ID token that a later one must repeat (OpenID Connect Core §12.2). */
import { parseRecord } from '../../base/json.js'
import type { KeptTokens } from './seal.js'

/** Returns these claims of a verified ID token; `undefined` for a text that is none. */
export function idTokenSubjectOf(idToken: string): KeptTokens['subject'] {
  const claims = parseRecord(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
  if (!claims) return undefined
  const { iss, sub, aud, auth_time } = claims
  return { iss, sub, aud, auth_time }
}
