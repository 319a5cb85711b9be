/** Resources that a suite opens before its tests and closes after them. */

/**
 * Opens something for the suite around, or with `each` for each of its tests. Use the result in tests and hooks only.
 *
 * ```ts
 * const app = opened(() => startApp({ providers: [credentials()] }))
 * it('…', () => app.browser().signIn())
 * ```
 */
export function opened<T extends { close(): unknown }>(open: () => T | Promise<T>, when: 'all' | 'each' = 'all'): T {
  let current: T | undefined
  const begin = when === 'each' ? beforeEach : before
  const end = when === 'each' ? afterEach : after
  begin(async () => {
    current = await open()
  })
  end(async () => {
    await current?.close()
    current = undefined
  })
  const there = (): T => {
    if (current === undefined) throw new Error('it is opened in a hook: use it in tests only')
    return current
  }
  return new Proxy({} as T, {
    get(_none, name) {
      const value: unknown = Reflect.get(there(), name, there())
      return typeof value === 'function' ? value.bind(there()) : value
    },
    set: (_none, name, value) => Reflect.set(there(), name, value, there()),
    has: (_none, name) => Reflect.has(there(), name),
    ownKeys: () => Reflect.ownKeys(there()),
    getOwnPropertyDescriptor: (_none, name) => ({
      ...Reflect.getOwnPropertyDescriptor(there(), name),
      configurable: true,
    }),
  })
}

/** Returns the same function. Everything opened by it is closed after each test of the suite around. */
export function closedAfterEach<Args extends unknown[], T extends { close(): unknown }>(
  open: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const opened: T[] = []
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())))
  return async (...args) => {
    const each = await open(...args)
    opened.push(each)
    return each
  }
}
