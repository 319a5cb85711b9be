/** The cases of the contract suite. */
import assert from 'node:assert/strict'
import type { Adapter, AdapterExtensions, AdapterMethod } from '../types/adapter.js'
import type { Awaitable } from '../types/identity.js'

/** A statement about adapters, and a check of it. */
export interface ContractCase {
  readonly name: string
  /** The methods that the case calls. */
  readonly needs: readonly AdapterMethod[]
  run(adapter: Adapter): Promise<void>
}

/** Related cases. */
export interface ContractGroup {
  readonly name: string
  readonly cases: readonly ContractCase[]
}

/** An adapter that has these methods. */
export type AdapterWith<Method extends AdapterMethod> = Adapter & Required<Pick<Adapter, Method>>

const extensions = {
  listUsers: true,
  listAccountsByUserId: true,
  listSessionsByUserId: true,
  deleteSessionsByUserId: true,
  getSessions: true,
  linkSession: true,
  listSessionLinks: true,
  getSessionUserAndData: true,
  writeSessionData: true,
  deleteVerificationTokens: true,
  deleteAuthenticator: true,
  renameAuthenticator: true,
  transaction: true,
  store: true,
  inspect: true,
  prune: true,
  checkUserFields: true,
} satisfies Record<Exclude<keyof AdapterExtensions, 'userFields'>, true>

const optional = new Set<string>([
  ...Object.keys(extensions),
  'deleteUser',
  'unlinkAccount',
  'getAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
])

/** Checks whether sign-ins with OAuth, email and credentials work without the method. */
export function isOptional(method: AdapterMethod): boolean {
  return optional.has(method)
}

/** Creates a case. It can call the methods that it names, and no other optional ones. */
export function contractCase<Method extends AdapterMethod>(
  name: string,
  needs: readonly Method[],
  check: (adapter: AdapterWith<Method>) => Promise<void>,
): ContractCase {
  return {
    name,
    needs,
    run: async (adapter) => {
      assertHasMethods(adapter, needs)
      await check(adapter)
    },
  }
}

function assertHasMethods<Method extends AdapterMethod>(
  adapter: Adapter,
  methods: readonly Method[],
): asserts adapter is AdapterWith<Method> {
  for (const method of methods) {
    assert.equal(typeof adapter[method], 'function', `the adapter has no method ${method}: the engine calls it`)
  }
}

/** Fails with the message if the call succeeds. It may throw or reject. */
export async function assertRejects(call: () => Awaitable<unknown>, message: string): Promise<void> {
  const [outcome] = await settleAll([call])
  assert.equal(outcome?.status, 'rejected', message)
}

/** Starts all calls at once, and waits for all of them. */
export function settleAll<T>(calls: ReadonlyArray<() => Awaitable<T>>): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(calls.map(async (call) => call()))
}

/** Fails with the message unless the value is a `Date` of that second. */
export function assertMoment(actual: unknown, expected: Date, message: string): void {
  assert.ok(actual instanceof Date, `${message}: the engine needs a Date, the adapter gave a ${typeof actual}`)
  const difference = Math.abs(actual.getTime() - expected.getTime())
  assert.ok(difference < 1000, `${message}: ${expected.toISOString()} came back as ${toIsoText(actual)}`)
}

function toIsoText(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'an invalid Date' : date.toISOString()
}
