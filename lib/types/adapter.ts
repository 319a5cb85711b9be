/**
 * What a database adapter is: the method names and records that published adapters of this interface have, and optional
 * methods of ours.
 *
 * An adapter stores and finds. It decides nothing: whether a session is still valid, who may be linked to whom and what a
 * token means is the engine's business. Ids, tokens and provider account ids are compared as exact strings, upper and
 * lower case included. Methods reject when the database fails; `null` means "there is no such record", nothing else.
 */
import type { Account, AccountKey, Awaitable, User } from './identity.js'
import type { Store, StoreInspection } from './store.js'

export type { AccountKey } from './identity.js'

/** A stored user. */
export interface AdapterUser extends User {
  /** Unique, and never given to another user again. */
  id: string
  /** Unique. In lower case, as the engine writes it. Empty or `null` where the provider tells none. */
  email: string
  /** When the address was proved; `null` when it never was. */
  emailVerified: Date | null
}

/** A stored account: one provider's account of one user. (`provider`, `providerAccountId`) is unique. */
export interface AdapterAccount extends Account {
  userId: string
}

/** A stored session. */
export interface AdapterSession {
  /** Unique. A hash of what the cookie holds: who reads the table cannot sign in with it. */
  sessionToken: string
  /** The id of the user it belongs to. */
  userId: string
  /** When the session ends. */
  expires: Date
}

/** Which session at a provider a stored session began by. The names are hashes of 43 characters of base64url. */
export interface AdapterSessionLink {
  /** Unique. Of the session. */
  sessionToken: string
  /** The person at the provider. */
  subject: string
  /** The session there; `null` where the provider does not name its sessions. */
  providerSession: string | null
}

/** What session links are looked for by. */
export type SessionLinkQuery =
  | Pick<AdapterSessionLink, 'subject'>
  | {
      /** The hash of the session at the provider. */
      providerSession: string
    }

/** A change of the data of a stored session: what is stored, as long as that is what it was when it was read. */
export interface AdapterSessionData {
  /** Of the session. */
  sessionToken: string
  /** Text of JSON, at most 16,384 bytes of UTF-8. */
  data: string
  /** What was read; `null` where there was none. */
  previous: string | null
}

/** A stored verification token. (`identifier`, `token`) is unique. */
export interface VerificationToken {
  /** The address that the link was sent to. */
  identifier: string
  /** A hash of what the link holds. */
  token: string
  /** When the link ends. The engine looks at it. */
  expires: Date
}

/** A stored passkey. */
export interface AdapterAuthenticator {
  /** The id of the user it belongs to. */
  userId: string
  /** Of the account at the passkey provider: the user handle, which a user's passkeys share. Auth.js: the credential's id. */
  providerAccountId: string
  /** Unique. base64 with padding (RFC 4648 §4). */
  credentialID: string
  /** base64 */
  credentialPublicKey: string
  /** The signature counter (WebAuthn Level 3 §6.1.1). Many authenticators leave it at 0. */
  counter: number
  /** Whether a copy is kept elsewhere, such as in a cloud (WebAuthn Level 3 §6.1.3, flag BS). */
  credentialBackedUp: boolean
  /** `singleDevice`, or `multiDevice` for one that can be backed up. */
  credentialDeviceType: string
  /** Comma-separated. */
  transports?: string | null
  /** Ours, optional: what its owner calls it. */
  name?: string | null
  /** Ours, optional. */
  createdAt?: Date | null
  /** Ours, optional. */
  lastUsedAt?: Date | null
}

/** What a use of a passkey tells beside its counter. */
export interface AuthenticatorUse {
  /** Whether a copy is kept elsewhere now (WebAuthn Level 3 §6.1.3, flag BS). */
  credentialBackedUp: boolean
  /** When it was used. */
  lastUsedAt: Date
}

/** What a method may return where the engine does not look at it. */
type Ignored<T> = Awaitable<T | null | undefined | void>

/**
 * A database adapter. Which methods are needed depends on the features in use, and is checked when the configuration is
 * resolved.
 */
export interface Adapter extends AdapterExtensions {
  /** Stores a user. `id` is a proposal: the adapter may give another one. Rejects when the address is taken. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  /** The user with this id; `null` where there is none. */
  getUser?(id: string): Awaitable<AdapterUser | null>
  /** The user with this address, which comes in lower case; `null` where there is none. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  /** The user who has the account. */
  getUserByAccount?(account: AccountKey): Awaitable<AdapterUser | null>
  /**
   * Changes the fields that are given, and returns the whole user. Another `email` without an `emailVerified` beside it
   * empties that one: nobody has proved the new address. `email: null` takes the address away.
   */
  updateUser?(
    user: Partial<AdapterUser> & {
      /** Of the user to be changed. */
      id: string
    },
  ): Awaitable<AdapterUser>
  /** Deletes the user with all accounts, sessions and passkeys. The engine never calls it. */
  deleteUser?(id: string): Ignored<AdapterUser>
  /** Stores an account. Rejects when another row has the same key. */
  linkAccount?(account: AdapterAccount): Ignored<AdapterAccount>
  /** Deletes an account. One that is not there is no error. */
  unlinkAccount?(account: AccountKey): Ignored<AdapterAccount>
  /** Stores a session. Rejects when there is one with this token. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** The session and its user, however old the session is; one query if possible. */
  getSessionAndUser?(sessionToken: string): Awaitable<{
    /** The session, also one whose time is over. */
    session: AdapterSession
    /** The user it belongs to. */
    user: AdapterUser
  } | null>
  /** Changes the fields that are given. `null` when there is no such session: it must not come back to life. */
  updateSession?(
    session: Partial<AdapterSession> & {
      /** Of the session to be changed. */
      sessionToken: string
    },
  ): Ignored<AdapterSession>
  /** Deletes a session, and returns it if that costs nothing. One that is not there is no error. */
  deleteSession?(sessionToken: string): Ignored<AdapterSession>
  /** Stores the token of a mailed link. An address may have several. */
  createVerificationToken?(token: VerificationToken): Ignored<VerificationToken>
  /** Deletes the token and returns it: of many calls at once for the same token exactly one gets it, the others `null`. */
  useVerificationToken?(params: {
    /** The address that the link was sent to. */
    identifier: string
    /** The hash of what the link holds. */
    token: string
  }): Awaitable<VerificationToken | null>
  /** The account of a provider; `null` where there is none. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  /** The passkey with this id; `null` where there is none. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  /** Stores a passkey. Rejects when its id is taken. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  /** All passkeys of a user; an empty array where there are none. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  /** Notes that a passkey was used. `use` is ours, for adapters with the columns for it. */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
    use?: AuthenticatorUse,
  ): Awaitable<AdapterAuthenticator>
}

/** Methods of ours. Published adapters have none of them; what happens then is said at each. */
export interface AdapterExtensions {
  /** Without it people cannot see and unlink what they sign in with. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /** Without it an application cannot show a person where they are signed in. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /** The engine never calls it: it is for tools of your own, such as a support desk. */
  deleteSessionsByUserId?(userId: string): Awaitable<unknown>
  /**
   * Stores a link, whose session was stored before. It is of no use once the session is gone: `prune` may delete it then.
   * Without these two a provider cannot end sessions (`logout.backchannel`, `logout.frontchannel`).
   */
  linkSession?(link: AdapterSessionLink): Ignored<AdapterSessionLink>
  /** The links of one subject, or of one session at a provider. */
  listSessionLinks?(by: SessionLinkQuery): Awaitable<AdapterSessionLink[]>
  /**
   * As `getSessionAndUser`, with the data of the session: the text that was written, exactly; `null` where none was. In the same
   * query if possible: it takes the place of `getSessionAndUser` where `session.data` is on, and without these two that is refused.
   */
  getSessionUserAndData?(sessionToken: string): Awaitable<{
    /** The session, also one whose time is over. */
    session: AdapterSession
    /** The user it belongs to. */
    user: AdapterUser
    /** The text that was written last; `null` where none was. */
    data: string | null
  } | null>
  /**
   * Writes the data of a session where it still is `previous`, in one step: of many calls at once with the same `previous` exactly
   * one does. Says whether it was written; it is not where there is no such session. The data ends with the session: of a
   * session that has ended nothing is read, and `prune` may delete it then.
   */
  writeSessionData?(change: AdapterSessionData): Awaitable<boolean>
  /** Deletes all tokens of an address. Without it older links stay valid in other processes until they expire. */
  deleteVerificationTokens?(identifier: string): Awaitable<unknown>
  /** Without it passkeys cannot be removed. */
  deleteAuthenticator?(credentialID: string): Awaitable<unknown>
  /** Without it passkeys have no names, and none of our optional columns is written. */
  renameAuthenticator?(credentialID: string, name: string): Awaitable<unknown>
  /**
   * Runs `work` with an adapter whose methods take effect together, or not at all when `work` rejects. Without it nothing is
   * linked by address to a user who never proved it, and a user whose account could not be linked gives the address up.
   */
  transaction?<T>(work: (adapter: Adapter) => Promise<T>): Promise<T>
  /**
   * The store of the same database, for options `store: true`; and, whatever the options are, for the ends of sessions and for the logout
   * tokens that were used. It can lack a contract. The same object at each call.
   */
  store?(): Partial<Store>
  /** What the database behind it is like: for `npx server-auth doctor`, which reports it. Rejects when it cannot be asked. */
  inspect?(): Awaitable<readonly StoreInspection[]>
  /** Deletes what has expired. The engine never calls it: its owner does, or the adapter by itself. */
  prune?(options?: {
    /** How many records one statement deletes at the most. */
    limit?: number
  }): Awaitable<unknown>
}

/** The name of an adapter's method. */
export type AdapterMethod = keyof Adapter
