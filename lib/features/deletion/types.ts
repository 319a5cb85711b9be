/** The option of deletions, and the values of their functions and events. */
import type { LinkedPasskey, OpenSession } from '../../types/account.js'
import type { Awaitable } from '../../types/identity.js'
import type { Outcome } from '../../types/outcome.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { Store } from '../../types/store.js'

/** The long form of the option `deletion`. */
export interface DeletionOptions {
  /**
   * The store of unfinished deletions and tombstones: `sqlStore(db)`, `redisStore(client)`, `memoryStore()`, or a custom
   * one. Default `true`: the adapter's.
   */
  store?: true | Pick<Store, 'records'>
  /**
   * The days for which a user who deletes their own account is only disabled, 0 to 90. `auth.users.enable` brings the user
   * back. Default 0: the user is deleted at once.
   */
  graceDays?: number
}

/** The option `deletion` of the configuration. */
export interface DeletionOption {
  /**
   * Enables `auth.users.delete` and `auth.users.export`. Needs `session.revocation`, by which users are disabled while they
   * are deleted, and an adapter with `deleteUser`. Default `false`.
   */
  deletion?: boolean | DeletionOptions
}

/** The parameters of `auth.users.delete`. */
export interface DeletionRequest {
  /** The reason, for events and the report, such as the number of a ticket. It is kept: write no personal data. */
  readonly reason: string
  /**
   * `true`: entries about the user stay in the audit log, without networks. `false`: they are removed. Default `true`.
   */
  readonly keepAudit?: boolean | undefined
  /**
   * `true`: only continues a deletion that `auth.users.unfinishedDeletions` lists, with its own reason. The result is
   * `unknown` if the user was enabled in the meantime. Default `false`.
   */
  readonly resume?: boolean | undefined
  /**
   * `delete`: stored organizations without another owner are deleted with the user. Default: the result is `lastOwner` if there
   * is one.
   */
  readonly organizations?: 'delete' | undefined
}

/** The result of `auth.users.delete`. */
export type DeletionOutcome =
  | Outcome<
      'unknown' | 'refused',
      {
        /** The report of the deletion. */
        readonly report: DeletionReport
      }
    >
  | LastOwnerOutcome

/** The user is the last owner of organizations, so nothing was deleted. */
export interface LastOwnerOutcome {
  /** Nothing was changed. */
  readonly ok: false
  /** The reason. */
  readonly reason: 'lastOwner'
  /** The ids of the organizations. */
  readonly organizations: readonly string[]
}

/** The result of revoking the tokens of one account at its provider. */
export interface ProviderRevocation {
  /** The id of the provider. */
  readonly provider: string
  /**
   * `revoked`; `unsupported` if the provider has no revocation endpoint, is not configured any more, or there was no token;
   * `failed` if the provider did not confirm within two seconds.
   */
  readonly result: 'revoked' | 'unsupported' | 'failed'
}

/** The report of a deletion. */
export interface DeletionReport {
  /** The time at which the deletion was complete. */
  readonly deletedAt: Date
  /** The `reason` of the call that began the deletion. */
  readonly reason: string
  /** The tokens of each account at a provider. */
  readonly providers: readonly ProviderRevocation[]
}

/** A deletion that is not complete. */
export interface UnfinishedDeletion {
  /** The id of the user. */
  readonly userId: string
  /** The time at which the deletion began. */
  readonly since: Date
  /** The `reason` of the call that began the deletion. */
  readonly reason: string
}

/** The argument of the `beforeDeleteUser` event. */
export interface BeforeDeleteUserMessage {
  /** The id of the user. */
  userId: string
  /** The `reason` of the call. */
  reason: string
  /** The id of the user who called it. Absent without a request or without a signed-in user. */
  by?: string
  /** The `sid` of the session in which it was called. */
  sid?: string
  /** The IP address and browser of that request. */
  request?: RequestInfo
}

/** The argument of the `userDeleted` event. The context is that of the call that completes the deletion. */
export interface UserDeletedMessage extends BeforeDeleteUserMessage {
  /** `false` if entries of the audit log about the user are removed. */
  keepAudit: boolean
}

/** The events of a deletion. Unlike those of other events, their errors are thrown to the caller. */
export interface DeletionEvents {
  /**
   * Called before a user is deleted, and before anything changes. `false` refuses the deletion. Unlike the errors of other
   * events, an error of this one is thrown to the caller of `auth.users.delete`, and nothing is deleted.
   */
  beforeDeleteUser(message: BeforeDeleteUserMessage): Awaitable<boolean | void>
  /**
   * Called after a user was deleted. Remove your own data about the user here. Called again if it throws or the process is
   * killed: the deletion is complete only after it returned.
   */
  userDeleted(message: UserDeletedMessage): Awaitable<void>
}

/** Data that an export does not contain. */
export interface WithheldData {
  /** The name of the data: `table.column`, or the kind of data. */
  readonly name: string
  /** The reason. */
  readonly why: string
}

/** The data that the library stores about a user. */
export interface UserExport {
  /** The stored user: the built-in columns, and those that the adapter declares (`user`). */
  readonly user: Readonly<Record<string, unknown>>
  /** The accounts at providers, without tokens. */
  readonly accounts: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** The passkeys. */
  readonly passkeys: ReadonlyArray<Omit<LinkedPasskey, 'isLast'>>
  /** The open sessions. JWT sessions are listed only by `session.revocation.list`. */
  readonly sessions: ReadonlyArray<Omit<OpenSession, 'current'>>
  /** The records in stores, by table: second factors, the time of the password, scopes of provider tokens. */
  readonly records: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>
  /** The data that is stored and not exported. */
  readonly withheld: readonly WithheldData[]
}
