/**
 * Each test is a process of its own, as far as it goes without starting one: what a process remembers for a site is
 * forgotten before each, since most use the same secret; and storages that were entered are left after each.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { clearSiteMemories } from '../../lib/base/memory.js'

/**
 * Up to Node.js 22, each promise copies the value of every storage that was ever entered and not disabled. An application
 * has three of them. Tests make one with each adapter: after a thousand tests everything would take three times as long.
 */
const entered = new Set<AsyncLocalStorage<unknown>>()

for (const name of ['run', 'enterWith'] as const) {
  const real = AsyncLocalStorage.prototype[name]
  Object.defineProperty(AsyncLocalStorage.prototype, name, {
    configurable: true,
    writable: true,
    value(this: AsyncLocalStorage<unknown>, ...words: unknown[]): unknown {
      entered.add(this)
      return Reflect.apply(real, this, words)
    },
  })
}

export const mochaHooks = {
  beforeEach() {
    clearSiteMemories()
  },
  /** Entering one again switches it on again. */
  afterEach() {
    for (const storage of entered) storage.disable()
    entered.clear()
  },
}
