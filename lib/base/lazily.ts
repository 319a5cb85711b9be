/** Parts that are loaded when they are first needed: an application that never needs one does not pay for it at its start. */

/**
 * Makes the loading of a part. What was loaded is kept; a failure is not, so that the next call tries again.
 *
 * @param part What is loaded, for the message.
 * @param load The `import()`. It stands at the caller, as a literal, where bundlers find it.
 * @returns A function that resolves to the part. It rejects with an Error that names the part, with what was thrown as its
 *   `cause`. What fails while it runs, and not while it is looked for, stays broken in Node until the process ends.
 */
export function lazily<T>(part: string, load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined
      throw new Error(
        `${part} could not be loaded, which this part of server-auth needs. Is the application installed, or bundled, with all of its packages and files?`,
        { cause },
      )
    })
    return loaded
  }
}
