/** A genuine session token, with all that no request, callback or moment changes, so that it is computed once. */
import { copyJson, copyJsonValue, freezeJson } from '../../base/json.js'
import type { KnownSession, ResolvedConfig } from '../../contracts/index.js'
import { type Actor, readActor } from '../../principal/index.js'
import type { JWT } from '../../types/jwt.js'
import type { SessionUser } from '../../types/session.js'
import { previousSessionName } from '../browser.js'
import { sessionExpiry } from '../session-cookie.js'
import { claimsLifespan, type EngineClaims, effectiveStart, readClaims, tokenUserOf } from './claims.js'

/**
 * A genuine token of one configuration. Requests that send the same token share it, so it hands out only texts, numbers, frozen
 * objects and copies.
 */
export class VerifiedToken {
  /** Frozen. */
  readonly claims: EngineClaims
  /** Seconds since the epoch. Absent if the token has no such number. */
  readonly iat: number | undefined
  readonly exp: number | undefined
  /** The end of the session by `iat`, in milliseconds since the epoch. */
  readonly expires: number
  /** Written once, when the first request needs it. */
  #expiresText: string | undefined
  /** Created once, when the first request needs it: only configurations with `session.revocation` do. */
  #known: KnownSession | undefined
  /** Read once, if the session is impersonated. */
  #actor: Actor | undefined
  readonly #payload: JWT

  /**
   * @param payload Not changed by anyone later.
   * @param text The token as it was sent.
   */
  constructor(config: ResolvedConfig, payload: JWT, text: string) {
    const { exp, iat } = payload
    this.#payload = payload
    this.claims = freezeJson(readClaims(payload, text, config.session.data))
    this.iat = typeof iat === 'number' ? iat : undefined
    this.exp = typeof exp === 'number' ? exp : undefined
    this.expires = this.expiryFrom(config, this.iat ?? 0)
  }

  /** The data by which an end of the session is found. Frozen. */
  get known(): KnownSession {
    this.#known ??= Object.freeze(knownSessionOf(this.#payload, this.claims, this.actor))
    return this.#known
  }

  /** The user who uses the session in place of its user. Absent in most sessions, and if the claim is malformed. */
  get actor(): Actor | undefined {
    if (this.claims.auth_act !== undefined) this.#actor ??= readActor(this.claims.auth_act)
    return this.#actor
  }

  /** Returns the end of the session as text. */
  textOf(expires: number): string {
    if (expires !== this.expires) return new Date(expires).toISOString()
    this.#expiresText ??= new Date(expires).toISOString()
    return this.#expiresText
  }

  /** Returns the end of the session in milliseconds, if its token was written at this second. */
  expiryFrom(config: ResolvedConfig, writtenAt: number): number {
    const end = sessionExpiry(config, writtenAt * 1000, claimsLifespan(this.claims))
    return this.exp === undefined ? end : Math.min(end, this.exp * 1000)
  }

  /** Returns the user that the session shows. */
  copyUser(): SessionUser {
    const { name = null, email = null, picture = null } = this.#payload
    const id = tokenUserOf(this.#payload, this.claims) ?? ''
    return { id, name: copyJsonValue(name), email: copyJsonValue(email), image: copyJsonValue(picture) }
  }

  /** Returns the payload, for callbacks, which may change it. */
  copyPayload(): JWT {
    return copyJson(this.#payload)
  }
}

/** Returns the data by which ended sessions are found. Without a start, a token is older than any end. */
function knownSessionOf(token: JWT, claims: EngineClaims, actor: Actor | undefined): KnownSession {
  const saysWhen = typeof token.auth_began === 'number' || typeof token.auth_time === 'number'
  return {
    sid: claims.sid,
    formerSid: previousSessionName(claims.sid),
    userId: tokenUserOf(token, claims),
    startedAt: saysWhen ? effectiveStart(claims) : 0,
    provider: claims.auth_op,
    ...(actor && { actor: ownSessionOf(actor) }),
  }
}

/** Returns the data by which the end of the actor's own session is found. */
function ownSessionOf({ session: sid, userId, startedAt, provider }: Actor): KnownSession {
  return { sid, userId, startedAt, provider }
}
