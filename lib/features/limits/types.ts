/** The options of rate limits: which attempts are counted, for whom, and where the counts are stored. */

import type { RequestInfo } from '../../types/request-info.js'
import type { Store } from '../../types/store.js'
import type { CaptchaOptions } from './captcha-types.js'

/**
 * The name of a rule, by the attempts that it counts.
 *
 * - `credentials`: names and passwords that are checked (`POST callback/<id>`). Right ones are not counted.
 * - `mail`: emails that are requested, by a sign-in or a change of address. The provider's `limit` takes precedence.
 * - `mailToken`: email links that are opened. Valid ones are not counted.
 * - `factor`: answers to a second factor, by user and kind of factor. Right ones are not counted. Also counted without
 *   `rateLimit`, because six digits are quickly guessed.
 * - `passkeyOptions`: challenges for passkeys (`GET webauthn-options/<id>`).
 * - `passkey`: answers of authenticators, including registrations. Valid ones are not counted.
 * - `signUp`: new users that are stored, by any provider; and, with a separate count, requests to `signup/<id>`.
 * - `reset`: links to set a new password that are requested (`POST password/forgot`), and passwords that are set with
 *   one.
 * - `oauthStart`: sign-ins that begin at a provider.
 * - `oauthCallback`: answers of providers. Successful sign-ins are not counted.
 * - `appToken`: codes of apps (`POST app-token`). Valid ones are not counted.
 * - `invitation`: invitations to an organization, by organization.
 * - `inviter`: invitations to all organizations, by the user who sends them.
 * - `logoutToken`: logout tokens (`POST backchannel-logout/<id>`). Valid ones are not counted.
 * - `apiKey`: API keys that are looked up and not found. Texts without the format and checksum of a key are rejected
 *   without a query, and not counted.
 */
export type RuleName =
  | 'credentials'
  | 'mail'
  | 'mailToken'
  | 'factor'
  | 'passkeyOptions'
  | 'passkey'
  | 'signUp'
  | 'reset'
  | 'oauthStart'
  | 'oauthCallback'
  | 'appToken'
  | 'logoutToken'
  | 'apiKey'
  | 'invitation'
  | 'inviter'

/** A rate limit. It needs at least one of the numbers, each a whole number from 1. */
export interface Rule {
  /**
   * The attempts for one account, from all clients. The account is a name or an email address as it was typed, whether
   * it exists or not.
   */
  perAccount?: number
  /**
   * The attempts of one client: an IPv4 address, or an IPv6 network of 64 bits. Not applied if the client is unknown.
   */
  perClient?: number
  /** The attempts of one client for one account. */
  perClientAndAccount?: number
  /** Seconds, at least 1. With `delay`: the time after the last failure at which failures are forgotten. */
  window: number
  /**
   * The delay of an account at its limit. Without `delay` it waits for the end of the window. `exponential`: one second
   * at first, doubled by each failure, 15 minutes at most. Not for `perClient`.
   */
  delay?: 'exponential'
}

/** The option `rateLimit`. */
export interface RateLimitOptions {
  /**
   * The store of the counts: `sqlStore(db)`, `redisStore(client)`, a custom one, or `true` for the adapter's. Default:
   * the memory of the process, so each process counts separately.
   */
  store?: true | Pick<Store, 'counter'>
  /** Rules that replace the built-in ones; `false` turns a rule off. */
  rules?: Partial<Record<RuleName, Rule | false>>
  /**
   * The behaviour if the store fails. `deny`: attempts get 503. `allow`: they are limited by the counts of this process
   * only. Default `deny`.
   */
  onOutage?: 'allow' | 'deny'
  /** A captcha for attempts after failures. Default: none. */
  captcha?: CaptchaOptions
}

/** The payload of the `denied` event. It contains no typed text. */
export interface DeniedMessage {
  /** The rule that rejected the attempt. */
  rule: RuleName
  /**
   * The count that rejected the attempt: of an account, a client, both together, or a `device`, a browser that has
   * signed in to the account before.
   */
  by: 'account' | 'client' | 'clientAndAccount' | 'device'
  /** A keyed hash of the counted account, client or device. It changes only with the secret. */
  key: string
  /** Seconds until the next attempt is allowed. */
  retryAfter: number
  /** The provider's id, if the path names a configured provider. */
  provider?: string
  /** The address and browser of the request. */
  request: RequestInfo
}

/** The option `rateLimit` of the configuration. */
export interface RateLimitOption {
  /**
   * The number of attempts that are allowed, by account and by client. `false`: only emails are counted, by the provider's `limit`.
   * Default: the built-in rules in production, and none elsewhere.
   */
  rateLimit?: false | RateLimitOptions
}
