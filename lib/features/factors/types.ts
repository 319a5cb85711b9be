/** The options of second factors, and the parameters and results of their functions. */
import type { Account, Awaitable, User } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { Store } from '../../types/store.js'

/** The factor of an authenticator app (RFC 6238): six digits, a new code every 30 seconds. Made by `Totp()`. */
export interface TotpConfig {
  /** The kind of factor. */
  type: 'totp'
  /** The issuer shown in the app. Default: `theme.name`, otherwise the site's host. */
  issuer?: string
}

/** The factor of a user's passkeys. Made by `PasskeyFactor()`. */
export interface PasskeyFactorConfig {
  /** The kind of factor. */
  type: 'passkey'
  /** The id of the passkey provider. Default: the first one in `providers`. */
  provider?: string
}

/** The factor of recovery codes, each valid for one sign-in. Made by `RecoveryCodes()`. */
export interface RecoveryCodesConfig {
  /** The kind of factor. */
  type: 'recovery'
  /** The number of codes of a user, 4 to 20. Default 10. */
  count?: number
}

/**
 * The factor of codes sent to the user's email address. Made by `EmailCode()`. Not available after a sign-in by email
 * link, since one mailbox is one factor.
 */
export interface EmailCodeConfig {
  /** The kind of factor. */
  type: 'email'
  /** The id of the email provider that sends the code. Default: the first one in `providers`. */
  provider?: string
  /** Seconds that a code is valid, 60 to 600. Default 600. */
  maxAge?: number
}

/** A kind of second factor that users can add. */
export type FactorConfig = TotpConfig | PasskeyFactorConfig | RecoveryCodesConfig | EmailCodeConfig

/** The kinds of second factors. */
export type FactorType = FactorConfig['type']

/** The parameters of `factors.require`. */
export interface RequireFactorsParams {
  /** The user who signs in. */
  user: User
  /** The account of the sign-in; `null` for `startSession`. */
  account: Account | null
  /** The level that the first factor has reached: 2 if it is treated as two factors. */
  reached: 1 | 2
  /** True if the user has a second factor. */
  isEnrolled: boolean
}

/** The long form of the option `factors`. */
export interface FactorsOptions {
  /** The second factors that users can enrol: `[Totp(), RecoveryCodes()]` of `server-auth/factors`. */
  methods: readonly FactorConfig[]
  /**
   * The store of second factors: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom one. Default
   * `true`: the adapter's.
   */
  store?: true | Pick<Store, 'records'>
  /**
   * Returns the authenticator assurance level (NIST SP 800-63B) that this sign-in needs. At level 2, users without a
   * second factor have to add one first. Default: 1. `whenEnrolled` always applies.
   */
  require?(params: RequireFactorsParams): Awaitable<1 | 2>
  /**
   * `always`: users with a second factor have to use it at each sign-in. `ask`: only if `require` or a guard needs it.
   * Default `always`.
   */
  whenEnrolled?: 'always' | 'ask'
  /**
   * Lets users remember a browser: its sign-ins need no second factor for 1 to 90 days. The session then has level 1,
   * and guards still require the second factor. A password change, a reset, and the end of all sessions forget the
   * browser. Default `false`.
   */
  remember?:
    | false
    | {
        /** The number of days, 1 to 90. */
        days: number
      }
  /**
   * True if a passkey with user verification (WebAuthn §4: a PIN or a finger) is treated as two factors. Default
   * `true`.
   */
  passkeyIsEnough?: boolean
}

/** The option `factors` of the configuration. */
export interface FactorsOption {
  /**
   * Second factors: the methods that users can enrol, `[Totp(), RecoveryCodes()]` of `server-auth/factors`, or `{ methods, store, require, … }`.
   * Users with a second factor have to prove it after every sign-in method. Default: none.
   */
  factors?: readonly FactorConfig[] | FactorsOptions
}

/** A second factor of a person, as an account page shows it. */
export interface EnrolledFactor {
  /** The id for `auth.factors.remove`. */
  readonly id: string
  /** The kind of factor. */
  readonly type: FactorType
  /** The name that the user gave it; `null` without one. */
  readonly name: string | null
  /** The time at which it was added. */
  readonly createdAt: Date
  /** The time of its last successful use; `null` if never used. */
  readonly usedAt: Date | null
  /** For `recovery`: the number of unused codes. */
  readonly left?: number
}

/** The payload of the `factorAdded` and `factorRemoved` events. It contains no secret and no code. */
export interface FactorMessage {
  /** The id of the user. */
  userId: string
  /** The kind of factor. `recovery`: new codes replaced the earlier ones. */
  factor: FactorType
  /** `removed` by its owner, or `reset` by `auth.factors.reset`. Absent if it was added. */
  reason?: 'removed' | 'reset'
  /** The id of the user who called `auth.factors.reset`. Absent without a request or without a signed-in user. */
  by?: string
  /** The `sid` of the session that made the change. Absent without a session. */
  sid?: string
  /** The address and browser of the request. Absent without a request. */
  request?: RequestInfo
}

/** An authenticator app that is being added. Show `qr` and `secret`, and ask for a code. */
export interface TotpSetup {
  /**
   * The key in Base32 (RFC 4648 §6), for users who cannot scan. It is a secret of the user: show it on this page only.
   */
  readonly secret: string
  /** The content of the QR code, and a link that opens an app on the same device. */
  readonly uri: string
  /** The QR code as SVG. Absent if `uqr` is not installed. */
  readonly qr?: string
  /** The sealed setup. Send it back with the code. Valid for 15 minutes, in this session and browser. */
  readonly setup: string
}

/** The first code of a second factor that is being added. */
export interface FactorConfirmation {
  /** The kind of factor. */
  type: 'totp' | 'email'
  /** The code that the user typed. */
  code: string
  /** For an authenticator app: the `setup` of `enrolTotp`. */
  setup?: string
  /** The name of the factor, up to 64 characters. */
  name?: string
}
