/** Rate limits: which attempts are counted, for whom, and where the counts are kept. */

import type { RequestInfo } from '../../types/request-info.js'
import type { Store } from '../../types/store.js'
import type { CaptchaOptions } from './captcha-types.js'

/**
 * What is counted.
 *
 * - `credentials`: names and passwords that are checked (`POST callback/<id>`). One that is right counts for nothing.
 * - `mail`: mails that are asked for, by a sign-in or a change of address. The provider's `limit` goes before it.
 * - `mailToken`: mailed links that are followed. One that is good counts for nothing.
 * - `factor`: answers to the question for a second factor, by the user and the kind of factor. One that is right counts for nothing.
 *   Counted also where `rateLimit` is off: six digits are soon tried.
 * - `passkeyOptions`: challenges for passkeys (`GET webauthn-options/<id>`).
 * - `passkey`: answers of authenticators, registrations among them. One that is valid counts for nothing.
 * - `signUp`: users who are stored anew, by whichever provider; and, with a count of its own, what is sent to `signup/<id>`.
 * - `reset`: links to set a new password that are asked for (`POST password/forgot`), and passwords that are set by one.
 * - `oauthStart`: sign-ins that begin at a provider.
 * - `oauthCallback`: answers of providers. One that signs in counts for nothing.
 * - `logoutToken`: logout tokens (`POST backchannel-logout/<id>`). One that is valid counts for nothing.
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
  | 'logoutToken'

/** How many attempts are let through. At least one of the numbers; each is a whole number, 1 or more. */
export interface Rule {
  /** For one account, whoever tries: a name or an address as it was typed, whether anybody has it or not. */
  perAccount?: number
  /** For one client: an IPv4 address, or an IPv6 network of 64 bits. Where it is not known, nobody is counted by it. */
  perClient?: number
  /** For one client at one account. */
  perClientAndAccount?: number
  /** Seconds, at least 1. With `delay`: how long after the last failure the failures are forgotten. */
  window: number
  /**
   * What happens to an account at its number: without `delay` it waits for the window to pass; `exponential` makes each further
   * attempt wait, one second at first, twice as long after each failure, 15 minutes at the most. Not for `perClient`.
   */
  delay?: 'exponential'
}

/** The option `rateLimit`. */
export interface RateLimitOptions {
  /**
   * The store of the counts: `sqlStore(db)`, `redisStore(client)`, one of your own, or `true` for the adapter's.
   * Default: the memory of the process, so that each process counts for itself.
   */
  store?: true | Pick<Store, 'counter'>
  /** Rules in the place of the built-in ones of their name; `false` counts nothing. */
  rules?: Partial<Record<RuleName, Rule | false>>
  /**
   * What happens while the store is away: `deny` answers attempts with 503, `allow` lets them through by what this process counts
   * alone. Default `deny`.
   */
  onOutage?: 'allow' | 'deny'
  /** A captcha for attempts that come after failures. Default: none is asked. */
  captcha?: CaptchaOptions
}

/** What the `denied` event gets. It holds nothing that a person typed. */
export interface DeniedMessage {
  /** Which rule refused the attempt. */
  rule: RuleName
  /**
   * The count that refused the attempt: of an account, of a client, of both together, or of a `device`, which is a browser that has signed in
   * to the account before.
   */
  by: 'account' | 'client' | 'clientAndAccount' | 'device'
  /** A keyed hash of the counted account, client or device. It stays the same as long as the secret does. */
  key: string
  /** Seconds. */
  retryAfter: number
  /** The provider's id, where the path names one of the configuration. */
  provider?: string
  /** Address and browser of the request. */
  request: RequestInfo
}
