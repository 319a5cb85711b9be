/** What becomes of token sets: at a sign-in, after a refresh, and what one is good for. No store and no provider here. */
import { scopesOf } from '../../base/authorization-request.js'
import type { ConsentReason } from '../../errors.js'
import type { StoredTokens } from '../../store/tables.js'
import type { TokenSet } from '../../types/identity.js'
import type { KeptTokens } from './seal.js'

/** Whether all of `wanted` is in `scope`. Where the provider said nothing of it, what was asked for was granted (RFC 6749 §5.1). */
export function covers(scope: string | undefined, wanted: readonly string[]): boolean {
  const names = scopesOf(scope)
  return scope === undefined || wanted.every((name) => names.includes(name))
}

/** What the grant covers, as far as is known. */
export function grantedTo({ granted, scope }: KeptTokens): string | undefined {
  return granted ?? scope
}

/** Seconds for which the access token is good; without one 0, and without a known end for ever. */
export function secondsLeft({ access_token: token, expires_at: end }: KeptTokens, now = Date.now() / 1000): number {
  if (token === undefined) return 0
  return end === undefined ? Number.POSITIVE_INFINITY : end - now
}

/** What a sign-in brought. @param keepsRefresh Whether refresh tokens are kept at all. @param dpop The key that they are bound to. */
export function fromSignIn(tokens: TokenSet, keepsRefresh: boolean, dpop?: KeptTokens['dpop']): KeptTokens {
  const { access_token, refresh_token, id_token, token_type, scope, expires_at, expires_in } = tokens
  const own = { access_token, id_token, token_type, scope, expires_at, expires_in, ...(dpop && { dpop }) }
  return keepsRefresh ? { ...own, refresh_token } : own
}

/**
 * The tokens of an account after one more sign-in. The new ones take the place of the old, with two exceptions for the refresh token:
 * if none came the old one stays, and if the sign-in asked for less than the person has agreed to before, the one that covers more.
 */
export function afterSignIn(old: KeptTokens | null, fresh: KeptTokens): KeptTokens {
  // A token may be bound to its key, which changes with it.
  if (!old || old.dpop || fresh.dpop) return fresh
  const before = scopesOf(grantedTo(old))
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

/** The tokens of an account after a refresh. @param asked The scope that was asked for, where one was. */
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
    // Kept if no new one came (RFC 6749 §6).
    refresh_token: refresh_token ?? old.refresh_token,
    id_token: id_token ?? old.id_token,
    ...(dpop && { dpop }),
    // What the provider said is what there is.
    ...(granted !== undefined && answer.scope === undefined && asked === undefined && { granted }),
  }
}

/* ---- need -------------------------------------------------------------------------------------------------------- */

// Whether a token is good enough as it is, has to be renewed, or whether the person has to agree again.

/** A row, and what is in it; `null` where no secret opens it. */
export interface Held<Row extends Pick<StoredTokens, 'needsConsent'> = StoredTokens> {
  readonly row: Row
  readonly tokens: KeptTokens | null
}

/** How good an access token has to be. */
export interface Wish {
  /** Seconds. */
  readonly minTtl: number
  readonly scope: readonly string[]
  /** `true`: whichever is stored is not good enough. A text: the one that a service has refused. */
  readonly refused?: boolean | string
  /** Whether the provider's tokens can be renewed at all. */
  readonly canRefresh: boolean
}

/** What has to be done. `scope` is what has to be asked for, where the refresh token covers more than the access token. */
export type Need =
  | { readonly kind: 'nothing'; readonly tokens: KeptTokens }
  | { readonly kind: 'renew'; readonly tokens: KeptTokens; readonly scope?: string }
  | { readonly kind: 'consent'; readonly reason: ConsentReason }

/** What has to be done before a row's access token can be used. */
export function needOf({ row, tokens }: Held<Pick<StoredTokens, 'needsConsent'>>, wish: Wish): Need {
  if (!tokens) return { kind: 'consent', reason: 'unreadable' }
  if (row.needsConsent) return { kind: 'consent', reason: 'refused' }
  const canRefresh = wish.canRefresh && tokens.refresh_token !== undefined
  const wanted = namesToLookFor(tokens, wish)
  if (!covers(tokens.scope, wanted)) {
    const scope = grantedTo(tokens)
    if (!canRefresh || !covers(scope, wanted)) return { kind: 'consent', reason: 'scope' }
    return { kind: 'renew', tokens, ...(scope !== undefined && { scope }) }
  }
  const isRefused = wish.refused === true || (wish.refused !== undefined && wish.refused === tokens.access_token)
  if (!isRefused && secondsLeft(tokens) >= leastTtl(tokens, wish)) return { kind: 'nothing', tokens }
  if (canRefresh) return { kind: 'renew', tokens }
  return !isRefused && secondsLeft(tokens) > 0 ? { kind: 'nothing', tokens } : { kind: 'consent', reason: 'expired' }
}

/** What `offline_access` asks for is a refresh token, and some who give one do not name it among the scopes (Microsoft). */
function namesToLookFor({ refresh_token: refresh }: KeptTokens, { scope }: Pick<Wish, 'scope'>): readonly string[] {
  return refresh === undefined ? scope : scope.filter((name) => name !== 'offline_access')
}

/** A token that never lives that long would be renewed by each call. */
function leastTtl({ expires_in: lifetime }: KeptTokens, { minTtl }: Wish): number {
  return Math.max(lifetime === undefined ? minTtl : Math.min(minTtl, lifetime / 2), Number.MIN_VALUE)
}

/** Whether the old token still serves while no new one can be had. */
export function stillServes(tokens: KeptTokens, wish: Wish): boolean {
  if (wish.refused === true || wish.refused === tokens.access_token) return false
  return secondsLeft(tokens) > 0 && isCovered(tokens, wish)
}

/** Whether the access token is good for the scope. */
export function isCovered(tokens: KeptTokens, { scope }: Pick<Wish, 'scope'>): boolean {
  return covers(tokens.scope, namesToLookFor(tokens, { scope }))
}
