/** What the suites of small stores have in common: one store for all cases, made once and closed in the end. */
import { randomBytes } from 'node:crypto'
import type { Awaitable } from '../types/identity.js'
import type { ContractHooks } from './adapter-contract.js'

/** A store, and what closes what it was made with. */
interface Subject<Store> {
  store: Store
  close?(): Awaitable<unknown>
}

/** A suite, by the titles of its cases. */
export interface StoreSuite<Store> {
  readonly name: string
  create(): Awaitable<Subject<Store>>
  readonly cases: Readonly<Record<string, (store: Store) => Promise<void>>>
}

/** Registers the suite. */
export function registerSuite<Store>(hooks: ContractHooks, { name, create, cases }: StoreSuite<Store>): void {
  let opened: Promise<Subject<Store>> | undefined
  const open = () => {
    opened ??= (async () => create())()
    return opened
  }
  const close = async () => {
    // That it could not be made was told where it was asked for.
    const subject = await opened?.catch(() => undefined)
    await subject?.close?.()
  }
  hooks.describe(name, () => {
    const setUp = hooks.before ?? hooks.beforeAll
    setUp?.(async () => void (await open()))
    for (const [title, check] of Object.entries(cases)) hooks.it(title, async () => check((await open()).store))
    const tearDown = hooks.after ?? hooks.afterAll
    if (tearDown) tearDown(close)
    else hooks.it('closes the store', close)
  })
}

/** An id that nobody else has. */
export const newId = () => randomBytes(16).toString('base64url')

/** Fifty calls, to be made at once. */
export const many = <T>(call: (at: number) => T) => Array.from({ length: 50 }, (_none, at) => () => call(at))

/** How many calls came to a yes. @throws What one rejected with. */
export function yes(outcomes: ReadonlyArray<PromiseSettledResult<boolean>>): number {
  return valuesOf(outcomes).filter(Boolean).length
}

/** What calls came to. @throws What one rejected with. */
export function valuesOf<T>(outcomes: ReadonlyArray<PromiseSettledResult<T>>): readonly T[] {
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
