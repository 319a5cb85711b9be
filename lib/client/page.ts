/**
 * The page that the client runs in. Its globals are declared here, and may be missing: the engine's files must not see a
 * browser's types, and pages are rendered on servers too.
 */
interface Page {
  readonly fetch: typeof fetch
  readonly location?: {
    readonly href: string
    assign(url: string): void
    reload(): void
  }
  readonly isSecureContext?: boolean
  readonly document?: {
    readonly visibilityState?: string
    /** Chromium's view of the page's `Permissions-Policy`. */
    readonly featurePolicy?: { allowsFeature(feature: string): boolean }
    addEventListener?(type: string, listener: () => void): void
    removeEventListener?(type: string, listener: () => void): void
  }
  readonly navigator?: { readonly onLine?: boolean }
  readonly addEventListener?: (type: string, listener: () => void) => void
  readonly removeEventListener?: (type: string, listener: () => void) => void
}

export const page: Page = globalThis

/** The address of this page; empty on a server. */
export function here(): string {
  return page.location?.href ?? ''
}

/** This page as the one to return to, without the error that an earlier attempt has left in its address. */
export function currentPage(): string {
  const url = webUrl(here())
  if (!url?.searchParams.has('error')) return here()
  for (const name of ['error', 'code', 'reference']) url.searchParams.delete(name)
  return url.href
}

/** What a text says as an URL of the web; `undefined` for anything else, such as `javascript:`. */
export function webUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const url = new URL(text, here() || undefined)
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** Leaves for an URL. Where only the part behind `#` differs, a browser would stay, with the old session on the page. */
export function goTo(url: string): void {
  const stays = url.startsWith(`${here().split('#')[0]}#`)
  page.location?.assign(url)
  if (stays) page.location?.reload()
}

/** Calls back at events of the window, until the function that it returns is called. */
export function onEvents(types: readonly string[], callback: () => void): () => void {
  for (const type of types) page.addEventListener?.(type, callback)
  return () => {
    for (const type of types) page.removeEventListener?.(type, callback)
  }
}
