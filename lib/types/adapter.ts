/**
 * The interface of a database adapter: the methods and records of published adapters, and optional methods of this
 * library.
 * An adapter stores and finds records and decides nothing. The engine decides whether a session is valid, which
 * accounts may be linked and what a token means. Ids, tokens and provider account ids are compared as exact,
 * case-sensitive strings. Methods reject if the database fails; `null` means "there is no such record", nothing else.
 */
import type { Account, AccountKey, Awaitable, User } from './identity.js'
import type { Store, StoreInspection } from './store.js'
import type { UserFieldDescriptions } from './user-fields.js'

export type { AccountKey } from './identity.js'

/** A stored user. */
export interface AdapterUser extends User {
  /** The unique id. It is never given to another user. */
  id: string
  /** The unique email address, in lower case. Empty or `null` if the provider does not return one. */
  email: string
  /** The time at which the email address was verified. `null` if it never was. */
  emailVerified: Date | null
}

/** A stored account: one provider's account of one user. (`provider`, `providerAccountId`) is unique. */
export interface AdapterAccount extends Account {
  userId: string
}

/** A stored session. */
export interface AdapterSession {
  /** The unique key: a hash of the cookie's token. A reader of the table cannot sign in with it. */
  sessionToken: string
  /** The id of the user of the session. */
  userId: string
  /** The time at which the session ends. */
  expires: Date
}

/**
 * The link between a stored session and the provider's session by which it began. Its names are hashes of 43 characters
 * of base64url.
 */
export interface AdapterSessionLink {
  /** The unique key of the stored session. */
  sessionToken: string
  /** The hash of the user's subject identifier at the provider. */
  subject: string
  /** The hash of the session at the provider. `null` if the provider does not name its sessions. */
  providerSession: string | null
}

/** The query for session links. */
export type SessionLinkQuery =
  | Pick<AdapterSessionLink, 'subject'>
  | {
      /** The hash of the session at the provider. */
      providerSession: string
    }

/** A compare-and-swap of a session's data: `data` is written only if the stored text is still `previous`. */
export interface AdapterSessionData {
  /** The key of the stored session. */
  sessionToken: string
  /** JSON text of at most 16,384 bytes of UTF-8. */
  data: string
  /** The text that was read. `null` if there was none. */
  previous: string | null
}

/** A stored verification token. (`identifier`, `token`) is unique. */
export interface VerificationToken {
  /** The email address that the link was sent to. */
  identifier: string
  /** The hash of the link's token. */
  token: string
  /** The time at which the link expires. The engine checks it. */
  expires: Date
}

/** A stored passkey. */
export interface AdapterAuthenticator {
  /** The id of the owner. */
  userId: string
  /**
   * The id of the account at the passkey provider: the user handle, which all passkeys of a user share. In Auth.js: the
   * credential's id.
   */
  providerAccountId: string
  /** The unique id of the credential: base64 with padding (RFC 4648 §4). */
  credentialID: string
  /** The public key, in base64. */
  credentialPublicKey: string
  /** The signature counter (WebAuthn Level 3 §6.1.1). Many authenticators keep it at 0. */
  counter: number
  /** `true` if the passkey is backed up, for example in a cloud (WebAuthn Level 3 §6.1.3, flag BS). */
  credentialBackedUp: boolean
  /** `singleDevice`, or `multiDevice` for a passkey that can be backed up. */
  credentialDeviceType: string
  /** The transports, separated by commas. */
  transports?: string | null
  /** The name that the user gave it. Optional, not in published adapters. */
  name?: string | null
  /** The time at which it was added. Optional, not in published adapters. */
  createdAt?: Date | null
  /** The time of the last use. Optional, not in published adapters. */
  lastUsedAt?: Date | null
}

/** The values of a passkey's use other than its counter. */
export interface AuthenticatorUse {
  /** `true` if the passkey is now backed up (WebAuthn Level 3 §6.1.3, flag BS). */
  credentialBackedUp: boolean
  /** The time of the use. */
  lastUsedAt: Date
}

/** The query for a page of users. A user is on exactly one page of the two parts that a list has. */
export interface AdapterUserQuery {
  /**
   * The part of the list, and its order. `email`: users whose email address begins with `prefix`, by address. `name`:
   * users whose name begins with it and whose email address does not, by name. `id`: users without an email address, by
   * id; `prefix` is empty.
   *
   * Upper and lower case are equal, and users with equal values are in the order of their ids. Only the first 128
   * characters of a name are compared.
   */
  part: 'email' | 'name' | 'id'
  /** The text as typed, at most 128 characters. It is no pattern: `%` and `_` are characters like others. */
  prefix: string
  /** `true`: users with a verified email address only. `false`: users without. Absent: all. */
  emailVerified?: boolean
  /** The last user of the previous page, who may be deleted by now. The page begins after this position. */
  after?: {
    /** The id of the user. */
    id: string
    /** The email address, or the first 128 characters of the name; empty for the part `id`. */
    value: string
  }
  /** The maximum number of users. */
  limit: number
}

/** A return value that the engine ignores. */
type Ignored<T> = Awaitable<T | null | undefined | void>

/**
 * A database adapter. The required methods depend on the features in use. They are checked when the configuration is
 * resolved. `Fields` are the values of the application's own fields of users: `Adapter<{ role: string | null }>`.
 */
export interface Adapter<Fields = unknown> extends AdapterExtensions<Fields> {
  /** Stores a user. `id` is a proposal: the adapter may assign another. Rejects if the email address is taken. */
  createUser?(user: AdapterUser & Partial<Fields>): Awaitable<AdapterUser & Fields>
  /** Returns the user with this id, or `null`. */
  getUser?(id: string): Awaitable<(AdapterUser & Fields) | null>
  /** Returns the user with this email address, given in lower case, or `null`. */
  getUserByEmail?(email: string): Awaitable<(AdapterUser & Fields) | null>
  /** Returns the user who owns the account, or `null`. */
  getUserByAccount?(account: AccountKey): Awaitable<(AdapterUser & Fields) | null>
  /**
   * Updates the given fields and returns the whole user. A new `email` without `emailVerified` sets `emailVerified` to
   * `null`, because the new address is not verified. `email: null` removes the address.
   */
  updateUser?(
    user: Partial<AdapterUser & Fields> & {
      /** The id of the user. */
      id: string
    },
  ): Awaitable<AdapterUser & Fields>
  /** Deletes the user with all accounts, sessions and passkeys. The engine never calls it. */
  deleteUser?(id: string): Ignored<AdapterUser>
  /** Stores an account. Rejects if another record has the same key. */
  linkAccount?(account: AdapterAccount): Ignored<AdapterAccount>
  /** Deletes an account. A missing account is not an error. */
  unlinkAccount?(account: AccountKey): Ignored<AdapterAccount>
  /** Stores a session. Rejects if the token exists. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  /** Returns the session and its user, even if the session has expired. Use one query if possible. */
  getSessionAndUser?(sessionToken: string): Awaitable<{
    /** The session, which may have expired. */
    session: AdapterSession
    /** The user of the session. */
    user: AdapterUser & Fields
  } | null>
  /** Updates the given fields. Returns `null` if there is no such session, and must not create it again. */
  updateSession?(
    session: Partial<AdapterSession> & {
      /** The key of the session. */
      sessionToken: string
    },
  ): Ignored<AdapterSession>
  /** Deletes a session. Returning it is optional. A missing session is not an error. */
  deleteSession?(sessionToken: string): Ignored<AdapterSession>
  /** Stores the token of an email link. An email address may have several. */
  createVerificationToken?(token: VerificationToken): Ignored<VerificationToken>
  /**
   * Deletes the token and returns it. Of concurrent calls for the same token exactly one gets it, the others `null`.
   */
  useVerificationToken?(params: {
    /** The email address that the link was sent to. */
    identifier: string
    /** The hash of the link's token. */
    token: string
  }): Awaitable<VerificationToken | null>
  /** Returns the account of a provider, or `null`. */
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  /** Returns the passkey with this id, or `null`. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  /** Stores a passkey. Rejects if its id is taken. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  /** Returns all passkeys of a user, or an empty array. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  /** Stores the use of a passkey. Only adapters with the optional columns read `use`. */
  updateAuthenticatorCounter?(
    credentialID: string,
    newCounter: number,
    use?: AuthenticatorUse,
  ): Awaitable<AdapterAuthenticator>
}

/** The methods that published adapters lack. Each comment says what does not work without the method. */
export interface AdapterExtensions<Fields = unknown> {
  /**
   * The application's own fields of users, which all methods read and write. `sqlAdapter(db, { user })`,
   * `memoryAdapter({ user })` and `withUserFields` set it. `session.userFields` requires it.
   */
  readonly userFields?: UserFieldDescriptions<Fields>
  /**
   * Checks that the database has the declared fields. Called once, at the start. Returns a message that says what is
   * missing and how to add it; `undefined` if nothing is. Rejects if the database fails.
   */
  checkUserFields?(): Awaitable<string | undefined>
  /** Returns a page of users. Required by `auth.users.list`. Use indexes: there may be many users. */
  listUsers?(query: AdapterUserQuery): Awaitable<Array<AdapterUser & Fields>>
  /** Returns the accounts of a user. Required to show and unlink sign-in methods. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /** Returns the sessions of a user. Required to show users where they are signed in. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /**
   * Returns those of these sessions that exist, with an existing user. `auth.sessions.watch` calls it with at most 500
   * tokens. Without it, `getSessionAndUser` is called for each session.
   */
  getSessions?(sessionTokens: readonly string[]): Awaitable<AdapterSession[]>
  /** Deletes all sessions of a user. The engine never calls it; it is for your own tools, such as a support desk. */
  deleteSessionsByUserId?(userId: string): Awaitable<unknown>
  /**
   * Stores a link of an existing session. `prune` may delete it when the session is gone. This method and
   * `listSessionLinks` are required for providers that end sessions (`logout.backchannel`, `logout.frontchannel`).
   */
  linkSession?(link: AdapterSessionLink): Ignored<AdapterSessionLink>
  /** Returns the links of one subject, or of one session at a provider. */
  listSessionLinks?(by: SessionLinkQuery): Awaitable<AdapterSessionLink[]>
  /**
   * Returns the same as `getSessionAndUser`, with the session's data: exactly the text that was written, or `null`. Use
   * one query if possible. With `session.data` it is called instead of `getSessionAndUser`. `session.data` requires
   * this method and `writeSessionData`.
   */
  getSessionUserAndData?(sessionToken: string): Awaitable<{
    /** The session, which may have expired. */
    session: AdapterSession
    /** The user of the session. */
    user: AdapterUser & Fields
    /** The text that was written last, or `null`. */
    data: string | null
  } | null>
  /**
   * Writes the data of a session if it is still `previous`, in one step. Of concurrent calls with the same `previous`
   * exactly one writes. Returns `false` if nothing was written, for example because the session is gone. The data of an
   * ended session is never read, and `prune` may delete it.
   */
  writeSessionData?(change: AdapterSessionData): Awaitable<boolean>
  /**
   * Deletes all tokens of an email address. Without it, older links stay valid in other processes until they expire.
   */
  deleteVerificationTokens?(identifier: string): Awaitable<unknown>
  /** Deletes a passkey. Required to remove passkeys. */
  deleteAuthenticator?(credentialID: string): Awaitable<unknown>
  /** Renames a passkey. Without it passkeys have no names, and none of the optional columns is written. */
  renameAuthenticator?(credentialID: string, name: string): Awaitable<unknown>
  /**
   * Runs `work` with an adapter whose changes are all applied, or none if `work` rejects. Without it, no account is
   * linked by email address to a user with an unverified address, and a user whose account could not be linked loses
   * the address.
   */
  transaction?<T>(work: (adapter: Adapter<Fields>) => Promise<T>): Promise<T>
  /**
   * Returns the store of the same database, for options with `store: true`. Also used, without an option, for ended
   * sessions and used logout tokens. It may lack contracts. Must return the same object at each call.
   */
  store?(): Partial<Store>
  /** Describes the database, for the report of `npx server-auth doctor`. Rejects if the database cannot be reached. */
  inspect?(): Awaitable<readonly StoreInspection[]>
  /** Deletes expired records. The engine never calls it: the application does, or the adapter itself. */
  prune?(options?: {
    /** The maximum number of records that one statement deletes. */
    limit?: number
  }): Awaitable<unknown>
}

/** The name of an adapter's method. */
export type AdapterMethod = Exclude<keyof Adapter, 'userFields'>
