/** The values that the functions of account pages take and return. */

import type { EnrolledFactor } from '../features/factors/types.js'
import type { AdapterUser } from './adapter.js'

/** The kind of device on which a session began. The browser says it about itself, so it is no proof. */
export interface SessionDevice {
  /** Such as `Firefox on Linux`; only one of both where the other is not known. */
  readonly label: string
  /** `Chrome`, `Edge`, `Firefox`, `Opera`, `Safari` or `Samsung Internet`. Browsers that call themselves one of these count as it. */
  readonly browser?: string
  /** `Android`, `ChromeOS`, `iOS`, `iPadOS`, `Linux`, `macOS` or `Windows`. Newer iPads say that they are a Mac. */
  readonly system?: string
}

/** A session of the signed-in user. */
export interface OpenSession {
  /** Names the session in `auth.sessions.end`, and in events (`sid`). No token: nobody signs in with it. */
  readonly id: string
  /** The session of the request itself. */
  readonly current: boolean
  /** When the user signed in. Absent where the session is older than this record, and so are the next five. */
  readonly beganAt?: Date
  /** The id of the provider of the sign-in. Absent, too, where the application's own code began the session (`startSession`). */
  readonly provider?: string
  /** The provider's name; its id where the configuration no longer has it. */
  readonly providerName?: string
  /** The methods of the sign-in (RFC 8176 §2), as in `authentication` of the `session` callback. */
  readonly amr?: readonly string[]
  /** Absent where the client did not say, and where it is no browser. */
  readonly device?: SessionDevice
  /** The network of the client's address, such as `203.0.113.0/24` or `2001:db8:1::/48`. Only with `session.network`. */
  readonly network?: string
  /**
   * When it was begun, or used last, to within `session.updateAge`. Of database sessions reckoned from `expires`: near its
   * absolute end, or after `session.maxAge` was changed, it may be too early.
   */
  readonly usedAt: Date
  /** When the session ends if it is not used before. */
  readonly expires: Date
}

/** A sign-in method of the user at a provider. */
export interface LinkedAccount {
  /** The id of the provider in the configuration. */
  readonly provider: string
  /** The provider's name, where the configuration still has it. */
  readonly name: string
  /** The user's id at the provider. */
  readonly providerAccountId: string
  /** The only sign-in method: `auth.account.unlink` refuses to remove it. */
  readonly isLast: boolean
}

/** A passkey of the user. */
export interface LinkedPasskey {
  /** Names the passkey in `auth.account.renamePasskey` and `auth.account.removePasskey`. */
  readonly id: string
  /** The name that the user gave it, else the authenticator's, such as `Google Password Manager`; `null` where neither is known. */
  readonly name: string | null
  /** `null` where the adapter does not store it. */
  readonly createdAt: Date | null
  /** `null` where it was never used, or the adapter does not store it. */
  readonly lastUsedAt: Date | null
  /** `multiDevice`: it can be copied to the user's other devices. */
  readonly deviceType: string
  /** It is in a backup: a lost device does not lose it. */
  readonly backedUp: boolean
  /** How it is reached, such as `internal`, `hybrid` or `usb`. */
  readonly transports: readonly string[]
  /** The only sign-in method: `auth.account.removePasskey` refuses to remove it. */
  readonly isLast: boolean
}

/** The sessions and sign-in methods of the signed-in user. */
export interface AccountOverview {
  /** The stored user. */
  readonly user: AdapterUser
  /** The session of the request first, then the one used last. With JWT sessions those that `session.revocation.list` has noted. */
  readonly sessions: readonly OpenSession[]
  /** Without those that only stand for passkeys. */
  readonly accounts: readonly LinkedAccount[]
  /** The newest first. Empty without a provider of passkeys. */
  readonly passkeys: readonly LinkedPasskey[]
  /** Second factors, with recovery codes among them. Empty where none are configured. */
  readonly factors: readonly EnrolledFactor[]
}

/** The email address that a user wants to have. */
export interface ChangeEmailOptions {
  /** The email address as typed. */
  readonly email: string
  /** Where the user goes once it is changed. Goes through the `redirect` callback. Default: the site's root. */
  readonly callbackUrl?: string
}

/** The fields of a form that changes a password. */
export interface PasswordChange {
  /** The current password. May be left out in the five minutes after a sign-in. */
  readonly current?: string | undefined
  /** The new one. */
  readonly password: string
}

/** A password for a user. */
export interface UserPassword {
  /** The id of the stored user. */
  readonly userId: string
  /** The new password, as it is typed. */
  readonly password: string
}

/** The hash of a user's password, made by another system. */
export interface UserHash {
  /** The id of the stored user. */
  readonly userId: string
  /** The hash, as text without line breaks, of 1024 characters at most. */
  readonly hash: string
}

/** The user who gets a link. */
export interface LinkReceiver {
  /** The id of the stored user. */
  readonly userId: string
}
