/** Whether a token is good enough as it is, has to be renewed, or whether the person has to agree again. */
import type { ConsentReason } from '../../errors.js'
import type { StoredTokens } from '../../store/tables.js'
import type { KeptTokens } from './seal.js'
import { covers, grantedTo, secondsLeft } from './token-sets.js'

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
