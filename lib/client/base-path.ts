/** Where the endpoints are. */

/** Settings of the client. */
export interface ClientOptions {
  /** Path of the endpoints. Default: `/api/auth` in pages of Next.js, else `/auth`. */
  basePath: string
}

const settings: Partial<ClientOptions> = {}

/**
 * Tells the client where the endpoints are. Call it once, before anything is asked.
 *
 * @example
 * ```ts
 * configureClient({ basePath: '/api/session' })
 * ```
 */
export function configureClient({ basePath }: ClientOptions): void {
  settings.basePath = withoutSlash(basePath)
}

/** The path of an endpoint, looked up at each call: the client may be configured after it was loaded. */
export function endpoint(path: string, basePath?: string): string {
  const isNext = '__next_f' in globalThis || '__NEXT_DATA__' in globalThis
  const own = basePath === undefined ? settings.basePath : withoutSlash(basePath)
  return `${own ?? (isNext ? '/api/auth' : '/auth')}/${path}`
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
