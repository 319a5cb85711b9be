/** Escape hatches are unique symbols: no string from a request or a JSON file can ever be one. */

/** Value of the configuration option `skipCSRFCheck`. Anything else than this symbol is refused at construction. */
export const skipCSRFCheck: unique symbol = Symbol('server-auth.skip-csrf-check')

/**
 * Key of a provider option: a `fetch` of yours for all calls to that provider.
 *
 * @example
 * ```ts
 * Google({ [customFetch]: (url, init) => fetch(url, { ...init, dispatcher: proxyAgent }) })
 * ```
 */
export const customFetch: unique symbol = Symbol('server-auth.custom-fetch')
