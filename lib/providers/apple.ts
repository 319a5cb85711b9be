/** Apple — https://developer.apple.com/sign-in-with-apple · callback: <origin>/auth/callback/apple (https, by POST) */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { OIDCConfig, OIDCUserConfig } from '../types/provider.js'

/** The claims of Apple's id_token, and the values that come with it. */
export interface AppleProfile {
  sub: string
  email?: string
  email_verified?: boolean | 'true' | 'false'
  is_private_email?: boolean | 'true' | 'false'
  /** Sent with the very first sign-in only. It is not signed, so only the name is used. */
  user?: { name?: { firstName?: string; lastName?: string } }
  [claim: string]: unknown
}

/** The options of the provider: `clientSecret`, or the values from which it is created. */
export type AppleOptions = OIDCUserConfig<AppleProfile> & {
  /** Ten letters and digits, at the top right of the developer account. */
  teamId?: string
  /** The id of the key for "Sign in with Apple". */
  keyId?: string
  /** The text of the key's `.p8` file. */
  privateKey?: string
}

/**
 * Signs in with Apple. `clientId` is the Services ID. Give `teamId`, `keyId` and `privateKey` (the text of the .p8
 * file), and the client secret is created from them; or your own `clientSecret`, a JWT signed with the key, at most six
 * months old.
 *
 * Environment: `AUTH_APPLE_ID` and `AUTH_APPLE_SECRET`. https://developer.apple.com/sign-in-with-apple
 *
 * @throws TypeError if one of the three is missing, or the key has another type.
 */
export default function Apple(options: AppleOptions = {}): OIDCConfig<AppleProfile> {
  const clientSecret = createClientSecret(options)
  return {
    id: 'apple',
    name: 'Apple',
    type: 'oidc',
    issuer: 'https://appleid.apple.com',
    authorization: { params: { scope: 'name email', response_mode: 'form_post' } },
    // Apple ignores PKCE; nonce and state are checked as always.
    checks: ['nonce', 'state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    ...(clientSecret && { token: { clientSecret } }),
    profile: ({ sub, email, user }) => ({
      id: sub,
      name: postedName(user) || (email ?? null),
      email: email ?? null,
      image: null,
    }),
    emailVerified: ({ email_verified: said }) => (said === undefined ? undefined : said === true || said === 'true'),
    style: {
      brandColor: '#000000',
      mark: 'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701',
    },
    options,
  }
}

/** Returns the name that the browser posted, which may have any shape. */
function postedName(user: AppleProfile['user']): string {
  const parts: unknown[] = [user?.name?.firstName, user?.name?.lastName]
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}

/** In seconds. Apple accepts six months. */
const lifetime = 60 * 60

/** Creates the secret (a client assertion in the form of RFC 7523 §2.2), and caches it for half of its lifetime. */
function createClientSecret({
  teamId,
  keyId,
  privateKey,
}: AppleOptions): ((client: { clientId: string }) => string) | undefined {
  if (teamId === undefined && keyId === undefined && privateKey === undefined) return undefined
  for (const [name, value] of Object.entries({ teamId, keyId, privateKey })) {
    if (!value)
      throw new TypeError(`Apple: \`${name}\` is missing. The secret is made of teamId, keyId and privateKey.`)
  }
  const key = readPrivateKey(privateKey ?? '')
  let kept = { secret: '', clientId: '', madeAt: Number.NEGATIVE_INFINITY }
  return ({ clientId }) => {
    const now = Math.floor(Date.now() / 1000)
    if (clientId !== kept.clientId || Math.abs(now - kept.madeAt) >= lifetime / 2) {
      const claims = { iss: teamId, iat: now, exp: now + lifetime, aud: 'https://appleid.apple.com', sub: clientId }
      kept = { secret: signJwt({ alg: 'ES256', kid: keyId }, claims, key), clientId, madeAt: now }
    }
    return kept.secret
  }
}

/** Reads the key. Environment variables often contain the lines of a file joined by a literal `\n`. */
function readPrivateKey(text: string): KeyObject {
  const wanted = 'Apple: `privateKey` must be the text of the .p8 file, an EC key for P-256 in PEM.'
  let key: KeyObject
  try {
    key = createPrivateKey(text.replaceAll('\\n', '\n'))
  } catch (cause) {
    throw new TypeError(wanted, { cause })
  }
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new TypeError(wanted)
}

/** Returns a compact JWS (RFC 7515 §7.1) with ES256 (RFC 7518 §3.4). */
function signJwt(header: object, claims: object, key: KeyObject): string {
  const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
