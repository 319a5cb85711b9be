/**
 * Reports each configuration to `npx server-auth doctor`, which loads the application in its own process and may be
 * another copy of this package. In an application nothing listens.
 */
const listenerName = Symbol.for('server-auth.configuration-listener')

/** Receives a configuration before it is checked. `fullStack` is true with `initAuth`. */
export type ConfigurationListener = (config: unknown, fullStack: boolean) => void

/** Calls the listener, if the doctor has set one. */
export function reportConfiguration(config: unknown, fullStack: boolean): void {
  const listener: unknown = Reflect.get(globalThis, listenerName)
  if (typeof listener === 'function') listener(config, fullStack)
}

/** Calls the listener for each configuration until the work has ended. */
export async function withConfigurationListener<T>(
  listener: ConfigurationListener,
  work: () => Promise<T>,
): Promise<T> {
  Reflect.set(globalThis, listenerName, listener)
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(globalThis, listenerName)
  }
}
