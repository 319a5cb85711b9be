/** Loads parts of the library on first use, so that applications that do not use them start faster. */
import type { Awaitable } from '../types/identity.js'
import { perOwner } from './memory.js'

/**
 * Creates a loader that loads a part once. A failure is not kept, so the next call tries again.
 *
 * @param part The name of the part, for the message.
 * @param load The `import()`, written as a literal at the caller, so that bundlers find it.
 * @returns A function that resolves to the part. It rejects with an Error that names the part and has the original
 *   error as its `cause`. An error while the part's code runs is cached by Node until the process ends; an error while
 *   it is looked up is not.
 */
export function createLazyLoader<T>(part: string, load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined
      throw new Error(
        `${part} could not be loaded, but this part of server-auth needs it. Install or bundle the application with all of its packages and files.`,
        { cause },
      )
    })
    return loaded
  }
}

/**
 * Creates a loader of one value for each owner. Synchronous after the first time, so that a guard with a cached answer creates no
 * promise.
 *
 * @param load Loads the part that creates the value.
 */
export function lazyPerOwner<Owner extends object, Value extends object>(
  load: (owner: Owner) => Promise<Value>,
): (owner: Owner) => Awaitable<Value> {
  const loadedOf = perOwner((_owner: Owner): { value?: Value } => ({}))
  return (owner) => {
    const loaded = loadedOf(owner)
    if (loaded.value) return loaded.value
    return load(owner).then((value) => {
      loaded.value = value
      return value
    })
  }
}
