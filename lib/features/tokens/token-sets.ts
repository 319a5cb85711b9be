/** Pure functions on token sets: after a sign-in, after a refresh, and whether one suffices. */
import { scopesOf } from '../../base/authorization-request.js'
import type { ConsentReason } from '../../errors.js'
import type { TokenSet } from '../../types/identity.js'
import type { StoredTokens } from './description.js'
import type { KeptTokens } from './seal.js'

/**
 * Checks whether `scope` contains all of `wanted`. A provider that returned no scope granted the requested one (RFC
 * 6749 §5.1).
 */
export function coversScope(scope: string | undefined, wanted: readonly string[]): boolean {
  const names = scopesOf(scope)
  return scope === undefined || wanted.every((name) => names.includes(name))
}

/** Returns the scope of the grant, as far as known. */
export function grantedScope({ granted, scope }: KeptTokens): string | undefined {
  return granted ?? scope
}

/** Returns the seconds for which the access token is valid: 0 without one, infinite without a known expiry. */
export function secondsLeft({ access_token: token, expires_at: end }: KeptTokens, now = Date.now() / 1000): number {
  if (token === undefined) return 0
  return end === undefined ? Number.POSITIVE_INFINITY : end - now
}

/**
 * Returns the tokens of a sign-in. @param keepsRefresh Whether refresh tokens are kept. @param dpop The key that they
 * are bound to.
 */
export function fromSignIn(tokens: TokenSet, keepsRefresh: boolean, dpop?: KeptTokens['dpop']): KeptTokens {
  const { access_token, refresh_token, id_token, token_type, scope, expires_at, expires_in } = tokens
  const own = { access_token, id_token, token_type, scope, expires_at, expires_in, ...(dpop && { dpop }) }
  return keepsRefresh ? { ...own, refresh_token } : own
}

/**
 * Returns the tokens of an account after another sign-in. The new tokens replace the old ones, with two exceptions for
 * the refresh token. Without a new one, the old one is kept. If the sign-in has a smaller scope than the grant, the one
 * with the larger scope is kept.
 */
export function afterSignIn(old: KeptTokens | null, fresh: KeptTokens): KeptTokens {
  // Tokens may be bound to a key, which changes with them.
  if (!old || old.dpop || fresh.dpop) return fresh
  const before = scopesOf(grantedScope(old))
  const now = scopesOf(fresh.scope)
  const united = [...new Set([...now, ...before])]
  const granted = united.length > now.length && fresh.scope !== undefined ? { granted: united.join(' ') } : {}
  const { refresh_token: kept, spare, unverified } = old
  if (kept === undefined) return { ...fresh, ...granted }
  const keptToken = { refresh_token: kept, ...(unverified && { unverified }) }
  if (fresh.refresh_token === undefined) return { ...fresh, ...granted, ...keptToken, ...(spare && { spare }) }
  const isLess = 'granted' in granted && united.length === before.length
  if (!isLess) return { ...fresh, ...granted }
  return { ...fresh, ...granted, ...keptToken, spare: fresh.refresh_token }
}

/** Returns the tokens of an account after a refresh. @param asked The requested scope, if there was one. */
export function afterRefresh(old: KeptTokens, answer: TokenSet & Pick<KeptTokens, 'dpop'>, asked?: string): KeptTokens {
  const { expires_at: _end, expires_in: _life, scope: _scope, unverified: _unverified, granted, ...kept } = old
  const { access_token, token_type, expires_at, expires_in, id_token, refresh_token, dpop } = answer
  const scope = answer.scope ?? asked ?? old.scope
  return {
    ...kept,
    access_token,
    token_type: token_type ?? old.token_type,
    expires_at,
    expires_in,
    scope,
    // Kept without a new one (RFC 6749 §6).
    refresh_token: refresh_token ?? old.refresh_token,
    id_token: id_token ?? old.id_token,
    ...(dpop && { dpop }),
    // The answer of the provider takes precedence.
    ...(granted !== undefined && answer.scope === undefined && asked === undefined && { granted }),
  }
}

/* Needs. */

// Decides whether a token suffices, has to be refreshed, or needs the user's consent again.

/** A record and its tokens, which are `null` if no secret opens them. */
export interface OpenedTokenRecord<Row extends Pick<StoredTokens, 'needsConsent'> = StoredTokens> {
  readonly record: Row
  readonly tokens: KeptTokens | null
}

/** The requirements of an access token. */
export interface TokenRequirement {
  /** Seconds. */
  readonly minTtl: number
  readonly scope: readonly string[]
  /** `true`: no stored token suffices. A text: the token that a service has rejected. */
  readonly rejected?: boolean | string
  /** True if the provider's tokens can be refreshed. */
  readonly canRefresh: boolean
}

/** The action that is needed. `scope` is the one to request, if the refresh token covers more than the access token. */
export type Need =
  | { readonly kind: 'nothing'; readonly tokens: KeptTokens }
  | { readonly kind: 'renew'; readonly tokens: KeptTokens; readonly scope?: string }
  | { readonly kind: 'consent'; readonly reason: ConsentReason }

/** Returns the action that is needed before a record's access token can be used. */
export function tokenNeedOf(
  { record, tokens }: OpenedTokenRecord<Pick<StoredTokens, 'needsConsent'>>,
  requirement: TokenRequirement,
): Need {
  if (!tokens) return { kind: 'consent', reason: 'unreadable' }
  if (record.needsConsent) return { kind: 'consent', reason: 'refused' }
  const canRefresh = requirement.canRefresh && tokens.refresh_token !== undefined
  const wanted = scopesToCompare(tokens, requirement)
  if (!coversScope(tokens.scope, wanted)) {
    const scope = grantedScope(tokens)
    if (!canRefresh || !coversScope(scope, wanted)) return { kind: 'consent', reason: 'scope' }
    return { kind: 'renew', tokens, ...(scope !== undefined && { scope }) }
  }
  const isRefused =
    requirement.rejected === true ||
    (requirement.rejected !== undefined && requirement.rejected === tokens.access_token)
  if (!isRefused && secondsLeft(tokens) >= minimumTtl(tokens, requirement)) return { kind: 'nothing', tokens }
  if (canRefresh) return { kind: 'renew', tokens }
  return !isRefused && secondsLeft(tokens) > 0 ? { kind: 'nothing', tokens } : { kind: 'consent', reason: 'expired' }
}

/**
 * Returns the scopes to compare. `offline_access` requests a refresh token, and Microsoft does not list it among the
 * granted scopes.
 */
function scopesToCompare(
  { refresh_token: refresh }: KeptTokens,
  { scope }: Pick<TokenRequirement, 'scope'>,
): readonly string[] {
  return refresh === undefined ? scope : scope.filter((name) => name !== 'offline_access')
}

/** Returns the lowest acceptable lifetime. A token with a shorter lifetime would be refreshed by each call. */
function minimumTtl({ expires_in: lifetime }: KeptTokens, { minTtl }: TokenRequirement): number {
  return Math.max(lifetime === undefined ? minTtl : Math.min(minTtl, lifetime / 2), Number.MIN_VALUE)
}

/** Checks whether the old token can be used while no new one is available. */
export function isStillUsable(tokens: KeptTokens, requirement: TokenRequirement): boolean {
  if (requirement.rejected === true || requirement.rejected === tokens.access_token) return false
  return secondsLeft(tokens) > 0 && coversRequirement(tokens, requirement)
}

/** Checks whether the access token covers the scope. */
export function coversRequirement(tokens: KeptTokens, { scope }: Pick<TokenRequirement, 'scope'>): boolean {
  return coversScope(tokens.scope, scopesToCompare(tokens, { scope }))
}
