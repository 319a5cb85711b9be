/** The frame of the suite of stores: one store for all cases, created once and closed at the end. */
import { randomBytes } from 'node:crypto'
import type { Awaitable } from '../types/identity.js'
import type { Store } from '../types/store.js'
import type { ContractHooks } from './adapter-contract.js'

/** A store, and a function that closes the client behind it. */
interface StoreSuiteSubject {
  store: Partial<Store>
  close?(): Awaitable<unknown>
}

/** Cases by their titles. */
export type Cases = Readonly<Record<string, (store: Partial<Store>) => Promise<void>>>

/** A suite, by the titles of its groups. */
export interface StoreSuite {
  readonly name: string
  create(): Awaitable<StoreSuiteSubject>
  readonly groups: Readonly<Record<string, Cases>>
}

/** Registers the suite. */
export function registerSuite(hooks: ContractHooks, { name, create, groups }: StoreSuite): void {
  let opened: Promise<StoreSuiteSubject> | undefined
  const open = () => {
    opened ??= (async () => create())()
    return opened
  }
  const close = async () => {
    // A failure to create the store was reported by the test that needed it.
    const subject = await opened?.catch(() => undefined)
    await subject?.close?.()
  }
  hooks.describe(name, () => {
    const setUp = hooks.before ?? hooks.beforeAll
    setUp?.(async () => void (await open()))
    for (const [group, cases] of Object.entries(groups)) {
      hooks.describe(group, () => {
        for (const [title, check] of Object.entries(cases)) hooks.it(title, async () => check((await open()).store))
      })
    }
    const tearDown = hooks.after ?? hooks.afterAll
    if (tearDown) tearDown(close)
    else hooks.it('closes the store', close)
  })
}

/** Returns a new id. */
export const newId = () => randomBytes(16).toString('base64url')

/** Returns fifty calls, to be made at once. */
export const fiftyCalls = <T>(call: (at: number) => T) => Array.from({ length: 50 }, (_none, at) => () => call(at))

/** Counts the calls that returned `true`. @throws The reason of the first that rejected. */
export function countTrue(outcomes: ReadonlyArray<PromiseSettledResult<boolean>>): number {
  return valuesOf(outcomes).filter(Boolean).length
}

/** Returns the results of calls. @throws The reason of the first that rejected. */
export function valuesOf<T>(outcomes: ReadonlyArray<PromiseSettledResult<T>>): readonly T[] {
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
