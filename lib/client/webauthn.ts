/**
 * Passkeys in the browser, for custom pages: `server-auth/client/webauthn`. No function throws for failures of the
 * user, the browser or the server: each call resolves to a result. Needs `@simplewebauthn/browser`.
 *
 * @module
 */

import { currentPageUrl, navigateTo, webUrl } from './page.js'
import { performCeremony, suggestsPasskeys, unavailableReason } from './passkey-ceremony.js'
import { type PasskeyAction, PasskeyError, type PasskeyFailureReason, toPasskeyError } from './passkey-error.js'
import { requestJson } from './passkey-request.js'
import { runExclusively } from './passkey-schedule.js'
import { isRejection, signalUnknownPasskey } from './rejected-passkey.js'
import { endpoint } from './request.js'
import { notifyAllPages, notifyOtherPages } from './session-changes.js'

export type { PasskeyFailureReason } from './passkey-error.js'

/** Options of {@link registerPasskey} and {@link signInWithPasskey}. */
export interface PasskeyOptions {
  /** The id of the provider. Default `passkey`. */
  readonly provider?: string | undefined
  /** The path of the endpoints. Default: `/api/auth` in pages of Next.js, otherwise `/auth`. */
  readonly basePath?: string | undefined
  /** The URL afterwards. Default: this page. */
  readonly redirectTo?: string | undefined
  /** `false`: stay here; the result has the URL. Default `true`: open the URL after a success. */
  readonly redirect?: boolean | undefined
  /**
   * The user's email address. Required for a new account; for a sign-in only if passkeys cannot be found without it.
   */
  readonly email?: string | undefined
  /** The name for a new account. */
  readonly name?: string | undefined
  /** Other fields of the provider (`formFields`, `getUserInfo`). Not for secrets, because they are in a URL. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /**
   * Stops it: the dialog closes, and nothing has happened. A request that is being sent to the server is not stopped.
   */
  readonly signal?: AbortSignal | undefined
}

/** Options of {@link signInWithPasskey}. */
export interface PasskeySignInOptions extends PasskeyOptions {
  /**
   * Shows no dialog, but offers passkeys among the suggestions of an input with `autocomplete="username webauthn"`, and
   * waits until one is picked. Any other passkey request of the page ends it. Call it again if that request fails.
   */
  readonly autofill?: boolean | undefined
}

/** The result of a passkey request. */
export type PasskeyResult = PasskeySuccess | PasskeyFailure

/** A sign-in or a new passkey; or a redirect of `callbacks.signIn` to `url`. */
export interface PasskeySuccess {
  /** True for a success. */
  readonly ok: true
  /** The URL to which the user should go. */
  readonly url: string
}

/** A failure. Nothing has changed. */
export interface PasskeyFailure {
  /** False for a failure. */
  readonly ok: false
  /** The reason, for code. */
  readonly reason: PasskeyFailureReason
  /** A sentence for users. */
  readonly message: string
  /** For `refused`: the type of the error (`docs/reference/errors.md`), if the server sent it. */
  readonly error?: string | undefined
  /** For `refused`: the URL of the page that explains it, if there is one. */
  readonly url?: string | undefined
  /** The original error, for developers. */
  readonly cause?: unknown
}

/**
 * Signs in with a passkey: the browser shows its passkeys, or uses one on a phone or security key.
 *
 * Call it when a button is pressed. At most one request runs in a page; a new one ends the one before.
 *
 * @example
 * ```ts
 * const result = await signInWithPasskey({ redirectTo: '/orders' })
 * if (!result.ok) show(result.message)
 * ```
 * @example Suggestions at an input, until a button is pressed
 * ```ts
 * const controller = new AbortController()
 * void signInWithPasskey({ autofill: true, signal: controller.signal })
 * ```
 */
export async function signInWithPasskey(options: PasskeySignInOptions = {}): Promise<PasskeyResult> {
  return runCeremony('authenticate', options)
}

/**
 * Creates a passkey: for the signed-in account, otherwise for a new account with the given `email`.
 *
 * @example
 * ```ts
 * const result = await registerPasskey({ redirect: false })                  // one more passkey for this account
 * const made = await registerPasskey({ email: 'ada@example.com', name: 'Ada' }) // a new account
 * if (!made.ok && made.reason === 'already-registered') await signInWithPasskey()
 * ```
 */
export async function registerPasskey(options: PasskeyOptions = {}): Promise<PasskeyResult> {
  return runCeremony('register', options)
}

/**
 * Checks whether this browser can use passkeys on this page. `false` on a server, and on an insecure page.
 *
 * @example
 * ```ts
 * button.hidden = !isPasskeySupported()
 * ```
 */
export function isPasskeySupported(): boolean {
  return unavailableReason() === undefined
}

/**
 * Checks whether this browser can suggest passkeys at an input, as the option `autofill` requires.
 *
 * @example
 * ```ts
 * if (await isPasskeyAutofillSupported()) void signInWithPasskey({ autofill: true })
 * ```
 */
export async function isPasskeyAutofillSupported(): Promise<boolean> {
  return suggestsPasskeys()
}

async function runCeremony(action: PasskeyAction, options: PasskeySignInOptions): Promise<PasskeyResult> {
  try {
    const url = await runExclusively((signal) => requestPasskey(action, options, signal), options.signal)
    if (options.redirect ?? true) {
      notifyOtherPages(true)
      navigateTo(url.href)
    } else await notifyAllPages()
    return { ok: true, url: url.href }
  } catch (thrown) {
    const { reason, message, rejection, cause } = toPasskeyError(thrown, action)
    return { ok: false, reason, message, error: rejection.error, url: rejection.url, cause }
  }
}

async function requestPasskey(action: PasskeyAction, options: PasskeySignInOptions, signal: AbortSignal): Promise<URL> {
  const { provider = 'passkey', autofill = false, redirectTo = currentPageUrl(), email, name, fields } = options
  const at = (path: string) => endpoint(path, options.basePath)
  const id = encodeURIComponent(provider)
  const [optionsUrl, form] = [at(`webauthn-options/${id}`), { ...fields, email, name }]
  const { data, made } = await performCeremony({ action, optionsUrl, fields: form, autofill }, signal)
  const csrfToken = await csrfTokenAt(at('csrf'), action)
  if (signal.aborted) throw new PasskeyError('aborted', action)
  const body = new URLSearchParams({ csrfToken, callbackUrl: redirectTo, action, data })
  try {
    const { url } = await requestJson(at(`callback/${id}`), action, { body })
    return readResponseUrl(url, action, redirectTo)
  } catch (thrown) {
    if (made && isRejection(thrown)) await signalUnknownPasskey(made)
    throw thrown
  }
}

/**
 * Returns the URL of a response. A failure is in its query, unless it has an error status. The callback URL may have
 * its own `error`.
 */
function readResponseUrl(answered: unknown, action: PasskeyAction, redirectTo: string): URL {
  const url = webUrl(answered)
  if (!url) throw new PasskeyError('refused', action)
  const error = url.searchParams.get('error')
  if (error === null || url.href === webUrl(redirectTo)?.href) return url
  throw new PasskeyError('refused', action, { error, url: url.href })
}

/** Returns the CSRF token; empty if the server does not check it, and has no such endpoint. */
async function csrfTokenAt(url: string, action: PasskeyAction): Promise<string> {
  try {
    return String((await requestJson(url, action)).csrfToken)
  } catch (thrown) {
    if (thrown instanceof PasskeyError && thrown.rejection.status === 404) return ''
    throw thrown
  }
}
