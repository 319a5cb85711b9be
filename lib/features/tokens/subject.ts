/** What of an id_token a later one has to say as well (OpenID Connect Core §12.2). */
import { parseRecord } from '../../base/json.js'
import type { KeptTokens } from './seal.js'

/** Who an id_token that was verified is about, and for whom it was made; `undefined` for what is none. */
export function subjectIn(idToken: string): KeptTokens['subject'] {
  const claims = parseRecord(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
  if (!claims) return undefined
  const { iss, sub, aud, auth_time } = claims
  return { iss, sub, aud, auth_time }
}
