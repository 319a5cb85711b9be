/** The option `organizations` with `store`, resolved. */
import type { ResolvedEmailProvider } from '../../contracts/providers.js'
import type { RecordStore } from '../../types/store.js'

/** Stored organizations. */
export interface ResolvedMembers {
  /** The store, unguarded. `features/members/store` guards it. */
  readonly store: RecordStore
  /** The role of owners. */
  readonly owner: string
  /** Seconds for which an invitation is valid. */
  readonly invitationMaxAge: number
  /** The provider that sends invitations. Absent: none can be sent. */
  readonly mailer?: ResolvedEmailProvider
  /** `true` if invited users without an account can sign in with the link. */
  readonly signsIn: boolean
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}
