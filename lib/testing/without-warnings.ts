/** Suppresses known warnings of a package. */

/**
 * Suppresses the warnings of `oidc-provider` that its settings are not for production, and about Node versions. Other
 * warnings are printed.
 */
export async function withoutWarnings<T>(work: () => T | Promise<T>): Promise<T> {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider WARNING')) warn(...words)
  }
  try {
    return await work()
  } finally {
    console.warn = warn
  }
}
