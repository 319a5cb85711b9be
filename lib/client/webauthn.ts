/**
 * Passkeys in the browser, for pages of your own: `server-auth/client/webauthn`. Nothing here throws for what can go wrong
 * between a person, a browser and a server: each call resolves to what happened. Needs `@simplewebauthn/browser`.
 *
 * @module
 */
import { announce, tellOtherPages } from './changes.js'
import { currentPage, goTo, webUrl } from './page.js'
import { obstacle, performCeremony, suggestsPasskeys } from './passkey-ceremony.js'
import { type PasskeyAction, PasskeyError, type PasskeyFailureReason, toPasskeyError } from './passkey-error.js'
import { forget, isRefusal } from './passkey-orphan.js'
import { requestJson } from './passkey-request.js'
import { inTurn } from './passkey-turn.js'
import { endpoint } from './request.js'

export type { PasskeyFailureReason } from './passkey-error.js'

/** Options of {@link registerPasskey} and {@link signInWithPasskey}. */
export interface PasskeyOptions {
  /** Id of the provider. Default `passkey`. */
  readonly provider?: string | undefined
  /** Path of the endpoints. Default: `/api/auth` in pages of Next.js, else `/auth`. */
  readonly basePath?: string | undefined
  /** Where the person goes afterwards. Default: this page. */
  readonly redirectTo?: string | undefined
  /** `false`: stay here; the result has the URL. Default `true`: leave for it when everything went well. */
  readonly redirect?: boolean | undefined
  /** Whose account it is. Making a new account needs it; a sign-in only where passkeys cannot be found without a name. */
  readonly email?: string | undefined
  /** The name for a new account. */
  readonly name?: string | undefined
  /** Other fields that the provider wants to know (`formFields`, `getUserInfo`). Not for secrets: they stand in an URL. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** Stops it: the dialog closes, and nothing has happened. An answer that is on its way to the server is not called back. */
  readonly signal?: AbortSignal | undefined
}

/** Options of {@link signInWithPasskey}. */
export interface PasskeySignInOptions extends PasskeyOptions {
  /**
   * Shows no dialog, but offers passkeys among the suggestions of an input with `autocomplete="username webauthn"`, and
   * waits until one is picked. Any other passkey request of the page ends it: call again when that did not work out.
   */
  readonly autofill?: boolean | undefined
}

/** How it ended. */
export type PasskeyResult = PasskeySuccess | PasskeyFailure

/** Signed in, or the passkey was made; or `callbacks.signIn` sends the person elsewhere first, by the `url`. */
export interface PasskeySuccess {
  /** It worked. */
  readonly ok: true
  /** Where the person goes now, as the server says. */
  readonly url: string
}

/** It did not work, and nothing has changed. */
export interface PasskeyFailure {
  /** It did not work. */
  readonly ok: false
  /** What stood in the way, as a word for code. */
  readonly reason: PasskeyFailureReason
  /** A sentence for people. */
  readonly message: string
  /** For `refused`: the type of the error (`docs/reference/errors.md`), where the server told it. */
  readonly error?: string | undefined
  /** For `refused`: the page that tells people about it, where there is one. */
  readonly url?: string | undefined
  /** What was thrown, for developers. */
  readonly cause?: unknown
}

/**
 * Signs in with a passkey: the browser shows which ones it has, or asks for the one on a phone or key.
 *
 * Call it when a button is pressed. At most one request is under way in a page; a new one ends the one before.
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
  return complete('authenticate', options)
}

/**
 * Makes a passkey: for the account that is signed in, or else for a new account with the `email` that is given.
 *
 * @example
 * ```ts
 * const result = await registerPasskey({ redirect: false })                  // one more passkey for this account
 * const made = await registerPasskey({ email: 'ada@example.com', name: 'Ada' }) // a new account
 * if (!made.ok && made.reason === 'already-registered') await signInWithPasskey()
 * ```
 */
export async function registerPasskey(options: PasskeyOptions = {}): Promise<PasskeyResult> {
  return complete('register', options)
}

/**
 * Whether this browser can use passkeys on this page. `false` on a server, and on a page that is not secure.
 *
 * @example
 * ```ts
 * button.hidden = !isPasskeySupported()
 * ```
 */
export function isPasskeySupported(): boolean {
  return obstacle() === undefined
}

/**
 * Whether this browser can suggest passkeys at an input: what the option `autofill` needs.
 *
 * @example
 * ```ts
 * if (await isPasskeyAutofillSupported()) void signInWithPasskey({ autofill: true })
 * ```
 */
export async function isPasskeyAutofillSupported(): Promise<boolean> {
  return suggestsPasskeys()
}

async function complete(action: PasskeyAction, options: PasskeySignInOptions): Promise<PasskeyResult> {
  try {
    const url = await inTurn((signal) => perform(action, options, signal), options.signal)
    if (options.redirect ?? true) {
      tellOtherPages(true)
      goTo(url.href)
    } else await announce()
    return { ok: true, url: url.href }
  } catch (thrown) {
    const { reason, message, refusal, cause } = toPasskeyError(thrown, action)
    return { ok: false, reason, message, error: refusal.error, url: refusal.url, cause }
  }
}

async function perform(action: PasskeyAction, options: PasskeySignInOptions, signal: AbortSignal): Promise<URL> {
  const { provider = 'passkey', autofill = false, redirectTo = currentPage(), email, name, fields } = options
  const at = (path: string) => endpoint(path, options.basePath)
  const id = encodeURIComponent(provider)
  const [optionsUrl, form] = [at(`webauthn-options/${id}`), { ...fields, email, name }]
  const { data, made } = await performCeremony({ action, optionsUrl, fields: form, autofill }, signal)
  const csrfToken = await csrfTokenAt(at('csrf'), action)
  if (signal.aborted) throw new PasskeyError('aborted', action)
  const body = new URLSearchParams({ csrfToken, callbackUrl: redirectTo, action, data })
  try {
    const { url } = await requestJson(at(`callback/${id}`), action, { body })
    return readUrl(url, action, redirectTo)
  } catch (thrown) {
    if (made && isRefusal(thrown)) await forget(made)
    throw thrown
  }
}

/** A failure is told by the query of the URL, if not by the status. The page to return to may have an `error` of its own. */
function readUrl(answered: unknown, action: PasskeyAction, redirectTo: string): URL {
  const url = webUrl(answered)
  if (!url) throw new PasskeyError('refused', action)
  const error = url.searchParams.get('error')
  if (error === null || url.href === webUrl(redirectTo)?.href) return url
  throw new PasskeyError('refused', action, { error, url: url.href })
}

/** Empty where the server has switched the check off: then it has no such endpoint. */
async function csrfTokenAt(url: string, action: PasskeyAction): Promise<string> {
  try {
    return String((await requestJson(url, action)).csrfToken)
  } catch (thrown) {
    if (thrown instanceof PasskeyError && thrown.refusal.status === 404) return ''
    throw thrown
  }
}
