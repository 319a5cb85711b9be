/**
 * The escape hatches of the configuration. They are symbols, because no string from a request or a JSON file can be
 * one. They are in the global registry, because a process may have two copies of this file, for example the
 * application's and that of `npx server-auth doctor`.
 */

/** The value of the configuration option `skipCSRFCheck`. Any other value is rejected at construction. */
export const skipCSRFCheck: unique symbol = Symbol.for('server-auth.skip-csrf-check')

/**
 * The key of a provider option: a custom `fetch` for all calls to that provider.
 * @example
 * ```ts
 * Google({ [customFetch]: (url, init) => fetch(url, { ...init, dispatcher: proxyAgent }) })
 * ```
 */
export const customFetch: unique symbol = Symbol.for('server-auth.custom-fetch')
