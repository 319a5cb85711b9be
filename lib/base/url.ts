/**
 * Whether a text is a URL. `URL.canParse` is no help: that of Node.js 20 and 22 begins to refuse hosts with letters such as `ü` after some
 * thousand calls, when it is compiled.
 */

/** The URL that a text is, absolute or below `base`; `undefined` where it is none. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Whether a text is a URL, absolute or below `base`. */
export function isUrl(text: string, base?: string | URL): boolean {
  return parseUrl(text, base) !== undefined
}
