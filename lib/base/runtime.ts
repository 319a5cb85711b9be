/** Detects the runtime, for features that one of them cannot offer. */

/**
 * Checks whether the code runs on Cloudflare Workers. There are no native packages, no files and no connection that
 * outlives a request.
 */
export function isCloudflareWorkers(): boolean {
  const navigator: unknown = Reflect.get(globalThis, 'navigator')
  return (
    typeof navigator === 'object' &&
    navigator !== null &&
    'userAgent' in navigator &&
    navigator.userAgent === 'Cloudflare-Workers'
  )
}

/**
 * Checks whether an `import()` failed because the package is not installed, or not bundled.
 *
 * @param name The name of the package.
 */
export function isMissingPackage(thrown: unknown, name: string): boolean {
  if (!(thrown instanceof Error)) return false
  // The following lines name the importing files.
  const [first = ''] = thrown.message.split('\n')
  const isNamed = first.includes(`'${name}'`) || first.includes(`"${name}"`)
  if ('code' in thrown) return isNamed && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(thrown.code))
  return isNamed && first.startsWith('No such module')
}

/** Throws the error of an `import()`. Only with a handler, esbuild accepts that the package may be missing. */
export function throwAgain(cause: unknown): never {
  throw cause
}
