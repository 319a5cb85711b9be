/** Registers the cases of the contract with a test runner. */
import type { Adapter } from '../types/adapter.js'
import type { Awaitable } from '../types/identity.js'
import { accounts } from './accounts.js'
import { authenticators } from './authenticators.js'
import { type ContractCase, type ContractGroup, isOptional } from './contract-case.js'
import { exactStrings } from './exact-strings.js'
import { races } from './races.js'
import { sessionData } from './session-data.js'
import { sessionLinks } from './session-links.js'
import { sessions } from './sessions.js'
import { transactions } from './transactions.js'
import { userLists } from './user-lists.js'
import { users } from './users.js'
import { verificationTokens } from './verification-tokens.js'

/** A test function. It takes no named parameter, because runners would then pass a callback. */
type Test = (...context: unknown[]) => Promise<void>

/**
 * The functions of a test runner: those of mocha, vitest, jest and `node:test`, also as a whole module or `globalThis`.
 * Without a function that runs last, a test closes the adapter.
 */
export interface ContractHooks {
  /** Groups tests, as in Mocha, Jest and Vitest. */
  describe(name: string, body: () => void): unknown
  /** Defines a test. */
  it: {
    (name: string, test: Test): unknown
    /** Without it, a skipped test is reported as a passed test whose name says so. */
    skip?(name: string, test: Test): unknown
  }
  /** Runs once before the tests of a group (Mocha). */
  before?(setUp: () => Promise<void>): unknown
  /** Runs once before the tests of a group (Jest, Vitest). */
  beforeAll?(setUp: () => Promise<void>): unknown
  /** Runs once after the tests of a group (Mocha). */
  after?(tearDown: () => Promise<void>): unknown
  /** Runs once after the tests of a group (Jest, Vitest). */
  afterAll?(tearDown: () => Promise<void>): unknown
}

/** The subject of the suite. */
export interface ContractSubject {
  /** The adapter to be tested. */
  adapter: Adapter
  /** Closes what `create` opened. */
  close?(): Awaitable<unknown>
}

/** Options of `adapterContract`. */
export interface ContractOptions {
  /** Creates the adapter, once. Its tables must exist; they need not be empty, and nothing is removed from them. */
  create(): Awaitable<ContractSubject>
  /** The title of the suite. Default `adapter contract`. */
  name?: string
  /**
   * The parts to skip: the name of a group, of a test or of a method, and a reason. The report shows the reason.
   * Optional methods that the adapter does not have are skipped in any case.
   */
  skip?: Readonly<Record<string, string>>
}

const groups: readonly ContractGroup[] = [
  users,
  userLists,
  accounts,
  sessions,
  sessionLinks,
  sessionData,
  verificationTokens,
  authenticators,
  exactStrings,
  races,
  transactions,
]

/**
 * Tests a database adapter: each method, each constraint, exact strings, times, races, transactions. Each test creates
 * its own records with random names, so that it can run on a database in use; it removes few of them.
 *
 * @throws {Error} If `skip` has an unknown name, or no reason.
 * @example
 * ```ts
 * import { after, before, describe, it } from 'mocha'
 * import { adapterContract } from 'server-auth/testing'
 *
 * adapterContract({ describe, it, before, after }, {
 *   create: async () => ({ adapter: myAdapter(await connect()), close: () => disconnect() }),
 *   skip: { transactions: 'the database has none' },
 * })
 * ```
 */
export function adapterContract(hooks: ContractHooks, { create, name, skip = {} }: ContractOptions): void {
  assertKnownSkips(skip)
  const subject = openOnce(create)
  hooks.describe(name ?? 'adapter contract', () => {
    const setUp = hooks.before ?? hooks.beforeAll
    setUp?.(async () => void (await subject.open()))
    for (const group of groups) {
      hooks.describe(group.name, () => {
        for (const each of group.cases) registerCase(hooks, subject.open, each, skipReason(skip, group, each))
      })
    }
    const tearDown = hooks.after ?? hooks.afterAll
    if (tearDown) tearDown(subject.close)
    else hooks.it('closes the adapter', subject.close)
  })
}

function registerCase(
  hooks: ContractHooks,
  open: () => Promise<ContractSubject>,
  each: ContractCase,
  reason?: string,
): void {
  const optional = each.needs.filter(isOptional)
  const title = optional.length === 0 ? each.name : `${each.name} (optional: ${optional.join(', ')})`
  if (reason !== undefined) {
    const skipped = `${title} – left out: ${reason}`
    if (hooks.it.skip) hooks.it.skip(skipped, async () => {})
    else hooks.it(skipped, async () => {})
    return
  }
  hooks.it(title, async function (this: unknown, ...context) {
    const { adapter } = await open()
    const missing = optional.filter((method) => typeof adapter[method] !== 'function')
    if (missing.length > 0) skipRunningTest([context[0], this], `the adapter has no ${missing.join(', ')}`)
    else await each.run(adapter)
  })
}

/**
 * Skips the running test: in Mocha by `this`, in node:test and vitest by the first parameter. In other runners only the
 * title says it.
 */
function skipRunningTest(contexts: readonly unknown[], reason: string): void {
  for (const context of contexts) {
    if (!canSkip(context)) continue
    context.skip(reason)
    return
  }
}

function canSkip(context: unknown): context is { skip(reason: string): void } {
  return typeof context === 'object' && context !== null && 'skip' in context && typeof context.skip === 'function'
}

function skipReason(
  skip: Readonly<Record<string, string>>,
  group: ContractGroup,
  each: ContractCase,
): string | undefined {
  const names = [group.name, each.name, ...each.needs]
  return names
    .map((name) => (Object.hasOwn(skip, name) ? skip[name] : undefined))
    .find((reason) => reason !== undefined)
}

function assertKnownSkips(skip: Readonly<Record<string, string>>): void {
  const known = new Set<string>(
    groups.flatMap((group) => [group.name, ...group.cases.flatMap((each): string[] => [each.name, ...each.needs])]),
  )
  for (const [name, reason] of Object.entries(skip)) {
    if (!known.has(name))
      throw new Error(`\`skip\` names "${name}", but no group, test or method of the contract has that name.`)
    if (typeof reason !== 'string' || reason.trim() === '') throw new Error(`\`skip\` needs a reason for "${name}".`)
  }
}

interface OpenedSubject {
  open(): Promise<ContractSubject>
  close(): Promise<void>
}

/** Returns the subject, created on first use. */
function openOnce(create: ContractOptions['create']): OpenedSubject {
  let opened: Promise<ContractSubject> | undefined
  return {
    open() {
      opened ??= (async () => create())()
      return opened
    },
    async close() {
      // A failure of `create` was reported by the test that needed it.
      const subject = await opened?.catch(() => undefined)
      await subject?.close?.()
    },
  }
}
