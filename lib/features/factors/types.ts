/** The options of second factors, and what the functions of account pages take and return. */
import type { Account, Awaitable, User } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { Store } from '../../types/store.js'

/** Codes of an authenticator app (RFC 6238): six digits, a new one each 30 seconds. Made by `Totp()`. */
export interface TotpConfig {
  /** The kind of factor. */
  type: 'totp'
  /** What the app shows beside the code. Default: `theme.name`, else the site's host. */
  issuer?: string
}

/** The passkeys that a person signs in with, as their second factor. Made by `PasskeyFactor()`. */
export interface PasskeyFactorConfig {
  /** The kind of factor. */
  type: 'passkey'
  /** The id of the provider of passkeys. Default: the first one in `providers`. */
  provider?: string
}

/** Codes on paper, each good for one sign-in. Made by `RecoveryCodes()`. */
export interface RecoveryCodesConfig {
  /** The kind of factor. */
  type: 'recovery'
  /** How many a person gets, 4 to 20. Default 10. */
  count?: number
}

/**
 * A code that is mailed to the person's address. Made by `EmailCode()`. It is no second factor for who has signed in by a mailed link:
 * one mailbox is one factor.
 */
export interface EmailCodeConfig {
  /** The kind of factor. */
  type: 'email'
  /** The id of the provider of e-mail that sends it. Default: the first one in `providers`. */
  provider?: string
  /** Seconds that a code lives, 60 to 600. Default 600. */
  maxAge?: number
}

/** A kind of second factor that people can have. */
export type FactorConfig = TotpConfig | PasskeyFactorConfig | RecoveryCodesConfig | EmailCodeConfig

/** The kinds of second factors. */
export type FactorType = FactorConfig['type']

/** The parameters of `factors.require`. */
export interface RequireFactorsParams {
  /** The user who signs in. */
  user: User
  /** The account of the sign-in; `null` for `startSession`. */
  account: Account | null
  /** The level that the first factor has reached: 2 where it counts for two factors. */
  reached: 1 | 2
  /** Whether the user has a second factor. */
  isEnrolled: boolean
}

/** The long form of the option `factors`. */
export interface FactorsOptions {
  /** The second factors that users can enrol: `[Totp(), RecoveryCodes()]` of `server-auth/factors`. */
  methods: readonly FactorConfig[]
  /** The store of second factors: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, one of your own. Default `true`: the adapter's. */
  store?: true | Pick<Store, 'records'>
  /**
   * Returns the authenticator assurance level (NIST SP 800-63B) that this sign-in needs. At level 2, users without a second factor have to
   * enrol one before they are signed in. Default: 1. `whenEnrolled` applies in any case.
   */
  require?(params: RequireFactorsParams): Awaitable<1 | 2>
  /**
   * `always`: users with a second factor have to prove it at each sign-in. `ask`: only where `require` or a guard needs it. Default `always`.
   */
  whenEnrolled?: 'always' | 'ask'
  /**
   * Lets users remember a browser: its sign-ins need no second factor for so many days (1 to 90). The session has level 1 then, and guards
   * still ask for the second factor. A changed password, a reset, and the end of all sessions forget the browser. Default `false`.
   */
  remember?:
    | false
    | {
        /** For how long, 1 to 90. */
        days: number
      }
  /** Whether a passkey with user verification (WebAuthn §4: a PIN or a finger) counts for two factors. Default `true`. */
  passkeyIsEnough?: boolean
}

/** A second factor of a person, as an account page shows it. */
export interface EnrolledFactor {
  /** Names it in `auth.factors.remove`. */
  readonly id: string
  /** What it is. */
  readonly type: FactorType
  /** What its owner calls it; `null` where they say nothing. */
  readonly name: string | null
  /** When it was added. */
  readonly createdAt: Date
  /** When it was last good for a sign-in; `null` where it never was. */
  readonly usedAt: Date | null
  /** Of `recovery`: how many codes are left. */
  readonly left?: number
}

/** What the `factorAdded` and `factorRemoved` events get. It holds no secret and no code. */
export interface FactorMessage {
  /** Whose second factor it is. */
  userId: string
  /** What it is. `recovery`: new codes took the place of those there were. */
  factor: FactorType
  /** How it went: its owner removed it, or `auth.factors.reset` removed all. Absent where it was added. */
  reason?: 'removed' | 'reset'
  /** The `sid` of the session in which it was done. Absent where there was none. */
  sid?: string
  /** Address and browser of the request. Absent where it was done without one. */
  request?: RequestInfo
}

/** An authenticator app that is being added: show `qr` and `secret`, and ask for a code. */
export interface TotpSetup {
  /** The key, in Base32 (RFC 4648 §6), for users who cannot scan. It is a secret of the user: put it nowhere but on the page. */
  readonly secret: string
  /** The content of the QR code, and a link that opens an app on the same device. */
  readonly uri: string
  /** The QR code as SVG. Absent where `uqr` is not installed. */
  readonly qr?: string
  /** Sealed: send it back with the code. Valid for 15 minutes, in this session and browser. */
  readonly setup: string
}

/** The first code of a second factor that is being added. */
export interface FactorConfirmation {
  /** What is added. */
  type: 'totp' | 'email'
  /** What the person typed. */
  code: string
  /** Of an authenticator app: as it came. */
  setup?: string
  /** What the person calls it, up to 64 characters. */
  name?: string
}
