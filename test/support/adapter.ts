/**
 * An adapter for tests: the memory adapter, with a note of each call, and with methods that can be made to fail.
 *
 * ```ts
 * const db = testDatabase()
 * const app = await startApp({ adapter: db.adapter })
 * db.replace('updateSession', () => { throw new Error('down') })
 * db.calls                        // ['getSessionAndUser', …]
 * await db.sessions()             // the rows that are there
 * ```
 */
import { randomUUID } from 'node:crypto'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { hashSessionToken, type SessionToken } from '../../lib/crypto/session-token.js'
import type { Adapter, AdapterMethod, AdapterSession, AdapterUser } from '../../lib/types/adapter.js'
import type { Browser } from './app.js'
import { sessionName } from './session.js'

/** A replacement of a method. It gets the real method, and its arguments. */
export type Replacement = (real: (...args: unknown[]) => Promise<unknown>, ...args: unknown[]) => unknown

/** A database in memory, under a test's control. */
export interface TestDatabase {
  readonly adapter: Adapter
  /** The same database without notes and faults. */
  readonly real: MemoryAdapter
  /** Names of the methods called, oldest first. Empty it with `calls.length = 0`. */
  readonly calls: AdapterMethod[]
  /** The arguments of the calls. */
  readonly args: Array<readonly unknown[]>
  replace(method: AdapterMethod, replacement: Replacement): void
  /** Replaces all methods. */
  replaceAll(replacement: Replacement): void
  /** Restores the real methods. */
  repair(): void
  /** The rows that are there, of those that were ever created. */
  sessions(): Promise<AdapterSession[]>
  /** Stores a user, past the notes. */
  addUser(user: Partial<AdapterUser> & { id: string }): Promise<AdapterUser>
  /** Stores a session, past the notes. */
  addSession(session: AdapterSession): Promise<void>
}

/** Creates a database. `without`: methods that it does not have. */
export function testDatabase({ without = [] }: { without?: readonly AdapterMethod[] } = {}): TestDatabase {
  const real = memoryAdapter()
  const calls: AdapterMethod[] = []
  const args: Array<readonly unknown[]> = []
  const replacements = new Map<AdapterMethod, Replacement>()
  const tokens = new Set<string>()
  const methods = (Object.keys(real) as Array<AdapterMethod | 'prune'>).filter((name) => name !== 'prune')

  function wrap(inner: Adapter): Adapter {
    const names = methods.filter((name) => !without.includes(name) && typeof inner[name] === 'function')
    return Object.fromEntries(
      names.map((name) => [
        name,
        // Stores of their own are returned at once, and none of their calls is noted.
        name === 'store' ? inner[name] : (...given: unknown[]) => call(inner, name, given),
      ]),
    )
  }

  async function call(inner: Adapter, name: AdapterMethod, given: unknown[]): Promise<unknown> {
    calls.push(name)
    args.push(structuredClone(given.filter((each) => typeof each !== 'function')))
    if (name === 'createSession') tokens.add((given[0] as AdapterSession).sessionToken)
    const method = inner[name] as (...args: unknown[]) => Promise<unknown>
    const next = (...passed: unknown[]) => {
      if (name !== 'transaction') return Reflect.apply(method, inner, passed)
      const [work] = passed as [(adapter: Adapter) => Promise<unknown>]
      return Reflect.apply(method, inner, [(found: Adapter) => work(wrap(found))])
    }
    const replacement = replacements.get(name)
    return replacement ? replacement(next, ...given) : next(...given)
  }

  return {
    adapter: wrap(real),
    real,
    calls,
    args,
    replace: (method, replacement) => void replacements.set(method, replacement),
    replaceAll: (replacement) => {
      for (const name of methods) replacements.set(name, replacement)
    },
    repair: () => replacements.clear(),
    async sessions() {
      const found = await Promise.all([...tokens].map((token) => real.getSessionAndUser(token)))
      return found.flatMap((each) => (each ? [each.session] : []))
    },
    addUser: async (user) => real.createUser({ email: `${user.id}@example.com`, emailVerified: null, ...user }),
    async addSession(session) {
      tokens.add(session.sessionToken)
      await real.createSession(session)
    },
  }
}

/** Returns a promise that is never settled. */
export function never(): Promise<never> {
  return new Promise(() => {})
}

/** Starts a session outside the library: a row, and its token in the browser. Returns the row's key. */
export async function plantRow(
  db: TestDatabase,
  browser: Browser,
  { token = randomUUID(), userId = 'ann', expires }: { token?: string; userId?: string; expires: Date },
): Promise<string> {
  if (!(await db.real.getUser(userId))) await db.addUser({ id: userId, name: userId })
  const sessionToken = hashSessionToken(token as SessionToken)
  await db.addSession({ sessionToken, userId, expires })
  browser.cookies.set(sessionName, token)
  return sessionToken
}
