/** The values that the functions of account pages take and return. */

import type { SessionApp } from '../features/apps/types.js'
import type { EnrolledFactor } from '../features/factors/types.js'
import type { AdapterUser } from './adapter.js'

/** The kind of device on which a session began. The browser reports it about itself, so it is no proof. */
export interface SessionDevice {
  /**
   * The text to show, such as `Firefox on Linux`, in the language of the request (`i18n`). Only one of both if the other
   * is not known.
   */
  readonly label: string
  /**
   * `Chrome`, `Edge`, `Firefox`, `Opera`, `Safari` or `Samsung Internet`. A browser that identifies as one of these is
   * listed as it.
   */
  readonly browser?: string
  /** `Android`, `ChromeOS`, `iOS`, `iPadOS`, `Linux`, `macOS` or `Windows`. Newer iPads identify as a Mac. */
  readonly system?: string
}

/** The facts of a session that support uses. */
export interface SupportSession {
  /** The text to show, such as `Support`, in the language of the request (`i18n`). */
  readonly label: string
  /** The reason that support gave. A long one is cut. */
  readonly reason: string
}

/** A session of the signed-in user. */
export interface OpenSession {
  /**
   * The id of the session in `auth.sessions.end`, and in events (`sid`). It is not a token, so it cannot be used to
   * sign in.
   */
  readonly id: string
  /** `true` for the session of the request itself. */
  readonly current: boolean
  /**
   * The time of the sign-in. This and the next five members are absent in sessions that began before they were
   * recorded.
   */
  readonly beganAt?: Date
  /**
   * The id of the provider of the sign-in. Also absent if the application's own code began the session
   * (`startSession`).
   */
  readonly provider?: string
  /** The provider's name, or its id if the configuration no longer has the provider. */
  readonly providerName?: string
  /** The methods of the sign-in (RFC 8176 §2), as in `authentication` of the `session` callback. */
  readonly amr?: readonly string[]
  /** Present if an app or a command line uses the session (`apps`). */
  readonly app?: SessionApp
  /** The device. Absent if the client is not a browser, or did not send the headers. */
  readonly device?: SessionDevice
  /** Present if support uses the session in place of the user (`impersonation`). */
  readonly support?: SupportSession
  /** The network of the client's address, such as `203.0.113.0/24` or `2001:db8:1::/48`. Only with `session.network`. */
  readonly network?: string
  /**
   * The time of the sign-in or the last use, accurate to `session.updateAge`. For database sessions it is calculated
   * from `expires`. Near the absolute end of a session, or after a change of `session.maxAge`, it may be too early.
   */
  readonly usedAt: Date
  /** The time at which the session ends if it is not used before. */
  readonly expires: Date
}

/** A sign-in method of the user at a provider. */
export interface LinkedAccount {
  /** The id of the provider in the configuration. */
  readonly provider: string
  /** The provider's name, or its id if the configuration no longer has the provider. */
  readonly name: string
  /** The user's id at the provider. */
  readonly providerAccountId: string
  /** `true` if it is the only sign-in method, which `auth.account.unlink` does not remove. */
  readonly isLast: boolean
}

/** A passkey of the user. */
export interface LinkedPasskey {
  /** The id of the passkey in `auth.account.renamePasskey` and `auth.account.removePasskey`. */
  readonly id: string
  /**
   * The name that the user gave it, or the authenticator's, such as `Google Password Manager`. `null` if neither is
   * known.
   */
  readonly name: string | null
  /** The time at which it was added. `null` if the adapter does not store it. */
  readonly createdAt: Date | null
  /** The time of the last use. `null` if it was never used, or if the adapter does not store it. */
  readonly lastUsedAt: Date | null
  /** `multiDevice` if it can be copied to the user's other devices, `singleDevice` otherwise. */
  readonly deviceType: string
  /** `true` if it is backed up, so that it survives the loss of the device. */
  readonly backedUp: boolean
  /** The transports of the authenticator, such as `internal`, `hybrid` or `usb`. */
  readonly transports: readonly string[]
  /** `true` if it is the only sign-in method, which `auth.account.removePasskey` does not remove. */
  readonly isLast: boolean
}

/** The sessions and sign-in methods of the signed-in user. */
export interface AccountOverview {
  /** The stored user. */
  readonly user: AdapterUser
  /**
   * The session of the request first, then the most recently used. JWT sessions are listed only by
   * `session.revocation.list`.
   */
  readonly sessions: readonly OpenSession[]
  /** The accounts at providers, without those that only represent passkeys. */
  readonly accounts: readonly LinkedAccount[]
  /** The passkeys, the newest first. Empty without a passkey provider. */
  readonly passkeys: readonly LinkedPasskey[]
  /** The second factors, recovery codes included. Empty if none are configured. */
  readonly factors: readonly EnrolledFactor[]
}

/** The email address to which a user changes. */
export interface ChangeEmailOptions {
  /** The email address as typed. */
  readonly email: string
  /**
   * The URL to which the user goes after the change. It passes through the `redirect` callback. Default: the site's
   * root.
   */
  readonly callbackUrl?: string
}

/** The fields of a form that changes a password. */
export interface PasswordChange {
  /** The current password. Optional in the five minutes after a sign-in. */
  readonly current?: string | undefined
  /** The new password. */
  readonly password: string
}

/** A password for a user. */
export interface UserPassword {
  /** The id of the stored user. */
  readonly userId: string
  /** The new password, as typed. */
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
export interface LinkRecipient {
  /** The id of the stored user. */
  readonly userId: string
}
