/** The functions of `auth.connections`: members of an organization connect its identity provider. */
import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type { ConnectionChange, DomainRecord, ListedConnection, NewConnection, VerifiedDomain } from './types.js'

/**
 * The functions of `auth.connections`. They throw `InvalidConfiguration` without `connections`.
 *
 * The signed-in user must be a member whose role has the permission `connections:write` in `organizations.roles`. If the
 * organization requires a connection, the session must have proved it, unless the user is exempt. All others get
 * `refused`, also for organizations and connections that do not exist.
 */
export interface ConnectionFunctions {
  /**
   * Creates a connection in the state `test`, after its metadata were read.
   *
   * @returns `refused` without the permission; `stale` if the sign-in is older than five minutes or did not prove all factors;
   *   `limited` after ten attempts of the organization in an hour; `issuer` if the issuer is not an https URL of a public
   *   host, is one for the users of several companies, or `allowIssuer` rejects it; `unreachable` if it does not answer
   *   with metadata; `metadata` if its metadata cannot be used. No other details are returned.
   * @throws `InvalidRequest` for a value of another type or length; `AdapterError` if the store fails.
   *
   * @example
   * ```ts
   * const made = await auth.connections.create(req, { organization, name, issuer, clientId, clientSecret })
   * ```
   */
  create(connection: NewConnection): Promise<
    Outcome<
      'refused' | 'stale' | 'limited' | 'issuer' | 'unreachable' | 'metadata',
      {
        /** The id. */
        readonly id: string
        /** The redirect URI, which the company registers at its identity provider. */
        readonly redirectUri: string
        /** The URL at which a sign-in begins at the identity provider (OpenID Connect Core §4). */
        readonly initiateUrl: string
      }
    >
  >
  /**
   * Returns the connections and verified domains of an organization. Secrets are not returned.
   *
   * @throws `AdapterError` if the store fails.
   */
  list(organizationId: string): Promise<
    Outcome<
      'refused',
      {
        /** The connections, the oldest first. */
        readonly connections: readonly ListedConnection[]
        /** The verified domains. */
        readonly domains: readonly VerifiedDomain[]
      }
    >
  >
  /**
   * Returns the record that the organization publishes in DNS, to prove that it owns a domain. Stores nothing.
   *
   * @returns `domain` if the text is no domain.
   */
  claimDomain(claim: {
    /** The id of the organization. */
    readonly organization: string
    /** The domain of email addresses, such as `example.com`. */
    readonly domain: string
  }): Promise<
    Outcome<
      'refused' | 'domain',
      {
        /** The record. */
        readonly record: DomainRecord
      }
    >
  >
  /**
   * Looks the record of `claimDomain` up, and stores that the organization has verified the domain. Subdomains are not
   * included.
   *
   * @returns `missing` if DNS has no such record, or the name is an alias; `taken` if another organization has verified
   *   the domain, and its own record has not been missing for three days; `unavailable` if DNS does not answer; `limited`
   *   after 60 attempts of the organization in an hour.
   * @throws `AdapterError` if the store fails.
   */
  verifyDomain(claim: {
    /** The id of the organization. */
    readonly organization: string
    /** The domain of email addresses, such as `example.com`. */
    readonly domain: string
  }): Promise<Outcome<'refused' | 'domain' | 'missing' | 'taken' | 'unavailable' | 'limited'>>
  /**
   * Removes a verified domain. It verifies no email addresses from then on, and another organization can verify it. Users who joined by it
   * remain members.
   *
   * @returns `unknown` if the organization has not verified the domain; `stale` as of `create`.
   * @throws `AdapterError` if the store fails.
   */
  releaseDomain(claim: {
    /** The id of the organization. */
    readonly organization: string
    /** The domain. */
    readonly domain: string
  }): Promise<Outcome<'refused' | 'stale' | 'unknown'>>
  /**
   * Changes a connection.
   *
   * @param id The id of the connection.
   * @returns `stale` as of `create`; `untested` if it becomes required, and no user who may change it has signed in by it
   *   within the hour; `exempt` if it becomes or stays required without an exempt user who may change it, and who has a
   *   password or passkey and a second factor; `conflict` if it was changed at the same time.
   * @throws `InvalidRequest` for a value of another type; `AdapterError` if the store fails.
   */
  set(id: string, change: ConnectionChange): Promise<Outcome<'refused' | 'stale' | 'untested' | 'exempt' | 'conflict'>>
  /**
   * Deletes a connection. Users cannot sign in by it, and its accounts are no longer listed: ids are never used again.
   * Sessions that users have begun by it end at their next read. All others continue, and their proof of the connection
   * is worth nothing.
   *
   * @param id The id of the connection.
   * @returns `stale` as of `create`.
   * @throws `AdapterError` if the store fails.
   */
  delete(id: string): Promise<Outcome<'refused' | 'stale'>>
  /**
   * Checks whether an organization has verified the domain of an email address. The owner of a domain decides who
   * has its addresses, so the organization may create users with them. It checks no permission: guard the route.
   *
   * @returns `false` also for a domain of another organization, for a domain whose record has been missing for three days, and for text that
   *   is no single email address.
   * @throws `AdapterError` if the store fails.
   */
  verifiesAddress(address: {
    /** The id of the organization. */
    readonly organization: string
    /** The email address. */
    readonly email: string
  }): Promise<boolean>
}

/** The rules of `auth.connections`. */
export const connectionRules = {
  create: { needs: 'request', effect: 'changes' },
  list: { needs: 'request', effect: 'reads' },
  claimDomain: { needs: 'request', effect: 'reads' },
  verifyDomain: { needs: 'request', effect: 'changes' },
  releaseDomain: { needs: 'request', effect: 'changes' },
  set: { needs: 'request', effect: 'changes' },
  delete: { needs: 'request', effect: 'changes' },
  verifiesAddress: { needs: 'nothing', effect: 'administers' },
} as const satisfies Rules<ConnectionFunctions>
