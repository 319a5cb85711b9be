/** Keeps a package from warning of what is known. */

/** `oidc-provider` warns that its settings are not for production, and of versions of Node. All else is printed. */
export async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
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
