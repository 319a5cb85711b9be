/**
 * Escape hatches are symbols: no string from a request or a JSON file can ever be one. They are of the global registry, because a process
 * may have two copies of this file, such as the application's and that of `npx server-auth doctor`.
 */

/** Value of the configuration option `skipCSRFCheck`. Anything else than this symbol is refused at construction. */
export const skipCSRFCheck: unique symbol = Symbol.for('server-auth.skip-csrf-check')

/**
 * Key of a provider option: a `fetch` of yours for all calls to that provider.
 *
 * @example
 * ```ts
 * Google({ [customFetch]: (url, init) => fetch(url, { ...init, dispatcher: proxyAgent }) })
 * ```
 */
export const customFetch: unique symbol = Symbol.for('server-auth.custom-fetch')
