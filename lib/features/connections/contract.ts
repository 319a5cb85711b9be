/** The interfaces of connections that other parts of the engine use. */
import type { RecordStore } from '../../types/store.js'
import type { ConnectionsOptions } from './types.js'

/** The option `connections`, checked and complete. */
export interface ResolvedConnections
  extends Pick<ConnectionsOptions, 'role' | 'admit' | 'invited' | 'allowIssuer' | 'nameServers'> {
  /** The store, unguarded. `features/connections/store` guards it. */
  readonly store: RecordStore
  readonly provision: NonNullable<ConnectionsOptions['provision']>
  /** The origins that are reached in addition to public ones. */
  readonly privateOrigins: ReadonlySet<string>
  /** Milliseconds that a method of the store, or a function of the application, may take. */
  readonly timeout: number
}

/** The connection of which a provider was made. */
export interface ProviderConnection {
  readonly organizationId: string
  readonly state: 'test' | 'on'
}

/** The facts of an identity that a connection proved. */
export interface ConnectionIdentity extends ProviderConnection {
  /** The folded email address, as the identity provider states it. */
  readonly email: string | undefined
  /** `true` if the organization has verified the domain of the address. Any other address is unverified. */
  readonly isOwnAddress: boolean
}
