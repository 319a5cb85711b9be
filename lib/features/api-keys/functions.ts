/** The functions of `auth.apiKeys`: users create and revoke keys for their scripts. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { ApiKeyEntry, CreateApiKeyOptions, CreatedApiKey } from './types.js'

/**
 * The functions of `auth.apiKeys`. They throw `InvalidConfiguration` without `apiKeys`.
 *
 * The owner of a key is always the user of the session. No function takes a key in place of a session.
 */
export interface ApiKeyFunctions<Scope extends string = string> {
  /**
   * Creates a key of the signed-in user. It is the only call that returns the key, so show it at once.
   *
   * @returns `session` if no stored user is signed in by a cookie of this browser; `stale` if the sign-in is older than five
   *   minutes, or did not prove all factors of the user; `organization` if the user is no member of it, or has not proved its required connection; `limit` if the user
   *   has 100 keys.
   * @throws `InvalidRequest` (400) for an invalid name, scope, expiry or organization; `InvalidConfiguration` for an
   *   `organization` without the option `organizations`.
   *
   * @example
   * ```ts
   * const created = await auth.apiKeys.create(req, { name: req.body.name, scopes: ['notes:read'] })
   * if (!created.ok) return res.redirect('/auth/signin?reauth=300&callbackUrl=/keys')
   * res.render('key', { key: created.key })
   * ```
   */
  create(
    options: CreateApiKeyOptions<Scope>,
  ): Promise<Outcome<'session' | 'stale' | 'organization' | 'limit', CreatedApiKey>>
  /** Returns the keys of the signed-in user that have not expired, the oldest first; none without a signed-in user. */
  list(): Promise<readonly ApiKeyEntry[]>
  /**
   * Revokes a key of the signed-in user. This process rejects it at once, others within `cacheFor`.
   *
   * @param id The id of the key. It may come from a client.
   * @returns `unknown` if the user has no such key; `session` if no stored user is signed in.
   * @throws `ReauthenticationRequired` in a session with its own `maxAge`, or that did not begin in this browser.
   */
  revoke(id: string): Promise<Outcome<'session' | 'unknown'>>
  /**
   * Revokes all keys of a user, for your support or after a change of password. The function checks no permission.
   *
   * @returns The number of keys.
   */
  revokeAll(userId: string): Promise<number>
}

/** The rules of `auth.apiKeys`. */
export const apiKeyRules = {
  create: { needs: 'request', effect: 'changes' },
  list: { needs: 'request', effect: 'reads' },
  revoke: { needs: 'request', effect: 'changes' },
  revokeAll: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<ApiKeyFunctions>
