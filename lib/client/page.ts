/** The page that the client runs in. */

/** The page's globals. Pages are rendered on servers too, where most of them are missing. */
export const page: Partial<typeof globalThis> = globalThis

/** Returns the URL of this page; empty on a server. */
export function currentUrl(): string {
  return page.location?.href ?? ''
}

/** Returns the URL of this page as the callback URL, without the error of an earlier attempt. */
export function currentPageUrl(): string {
  const url = webUrl(currentUrl())
  if (!url?.searchParams.has('error')) return currentUrl()
  for (const name of ['error', 'code', 'reference']) url.searchParams.delete(name)
  return url.href
}

/** Returns an http(s) URL; `undefined` for any other text, such as `javascript:`. */
export function webUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const url = new URL(text, currentUrl() || undefined)
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/**
 * Navigates to a URL. If only the fragment differs, it reloads, because the browser would keep the page with the old
 * session.
 */
export function navigateTo(url: string): void {
  const stays = url.startsWith(`${currentUrl().split('#')[0]}#`)
  page.location?.assign(url)
  if (stays) page.location?.reload()
}

/** Calls back at events of the window, until the returned function is called. */
export function onEvents(types: readonly string[], callback: () => void): () => void {
  for (const type of types) page.addEventListener?.(type, callback)
  return () => {
    for (const type of types) page.removeEventListener?.(type, callback)
  }
}
