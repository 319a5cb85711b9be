/** The columns of a user that an admin page writes: their check, and the normalized email address. */

import { findEmailProvider } from '../actions/index.js'
import { foldAddress, parseEmailAddress } from '../base/email-address.js'
import { isRecord } from '../base/guards.js'
import type { AdapterStore, ResolvedConfig, ResolvedEmailProvider } from '../contracts/index.js'
import { InvalidConfiguration, MissingAdapter } from '../errors.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { knownAddress } from '../flows/email/address.js'
import type { AdapterUser } from '../types/adapter.js'

/** Returns the adapter. @param caller Such as `users.get`. @throws {@link MissingAdapter} without one. */
export function requireUserStore({ store }: ResolvedConfig, caller: string): AdapterStore {
  if (store) return store
  throw new MissingAdapter(`\`${caller}\` needs stored users. Set an \`adapter\`, such as \`sqlAdapter(db)\`.`)
}

/** The values of a new or changed user, checked. */
export interface UserValues {
  /** `undefined`: not given. */
  readonly email: string | null | undefined
  readonly emailVerified: boolean | undefined
  /** Name, picture and own columns; only those that are given. */
  readonly columns: Readonly<Record<string, unknown>>
}

/**
 * Checks the values that the application passes.
 *
 * @param caller Such as `users.create`.
 * @throws TypeError for a value of the wrong type, which the database would store as another one.
 */
export function readUserValues(caller: string, given: unknown): UserValues {
  if (!isRecord(given)) throw new TypeError(`${caller} needs an object with the columns of the user. Pass one.`)
  const { email, emailVerified, ...others } = given
  if (Object.hasOwn(others, 'id')) throw new TypeError(`${caller} cannot set \`id\`. Remove it.`)
  if (email !== undefined && email !== null && typeof email !== 'string')
    throw new TypeError(`\`email\` of ${caller} is not text. Pass text or \`null\`.`)
  if (emailVerified !== undefined && typeof emailVerified !== 'boolean')
    throw new TypeError(`\`emailVerified\` of ${caller} is not a boolean. Pass \`true\` or \`false\`.`)
  for (const name of ['name', 'image'] as const) {
    const value = others[name]
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw new TypeError(`\`${name}\` of ${caller} is not text. Pass text or \`null\`.`)
  }
  const columns = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  return { email, emailVerified, columns }
}

/** Returns the provider by whose rule email addresses are normalized, and which sends notices. */
export function mailerOf(config: ResolvedConfig): ResolvedEmailProvider | undefined {
  return findEmailProvider(config) ?? passwordProviderOf(config)?.password.mailer
}

/** Returns an email address as users are stored with it; `undefined` for text that is no single address. */
export function storableAddress(config: ResolvedConfig, typed: string): string | undefined {
  const mailer = mailerOf(config)
  if (mailer) return knownAddress(mailer, typed)
  const address = parseEmailAddress(typed)
  return address === undefined ? undefined : foldAddress(address)
}

/**
 * Throws for a column that the adapter ignored. Its value would be lost without an error.
 *
 * @param stored The user, as the adapter returned it.
 * @throws {@link InvalidConfiguration}
 */
export function assertColumnsStored(columns: UserValues['columns'], stored: AdapterUser): void {
  for (const [name, value] of Object.entries(columns)) {
    if (value === null || Object.hasOwn(stored, name)) continue
    throw new InvalidConfiguration(
      `The adapter does not store the column \`${name}\` of users. Declare it for the adapter, or remove it.`,
    )
  }
}
