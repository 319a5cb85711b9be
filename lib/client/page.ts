/** The page that the client runs in. */

/** The page's globals. Pages are rendered on servers too, where most of them are missing. */
export const page: Partial<typeof globalThis> = globalThis

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
