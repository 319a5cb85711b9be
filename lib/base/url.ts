/**
 * Parses URLs. `URL.canParse` is not used: in Node.js 20 and 22 it begins to reject hosts with letters such as `ü`
 * after some thousand calls, once it is compiled.
 */

/** Parses a URL, absolute or relative to `base`. Returns `undefined` when it is invalid. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Checks whether a text is a URL, absolute or relative to `base`. */
export function isUrl(text: string, base?: string | URL): boolean {
  return parseUrl(text, base) !== undefined
}
