/** Sign-in from scripts. */
import type { AppProvider } from '../types/provider.js'
import type { BuiltInProviderType } from '../types/provider-ids.js'
import { currentPageUrl, navigateTo } from './page.js'
import { ClientError, callEndpoint, type FormResult, pageUrl, submitForm } from './request.js'
import { notifyAllPages, notifyOtherPages } from './session-changes.js'

/** The id of a provider: a built-in one, or your own. */
export type ProviderId = BuiltInProviderType | (string & Record<never, never>)

/**
 * Returns the providers by id, in the order of the configuration.
 *
 * @throws {@link ClientError} if the request fails.
 */
export async function getProviders(): Promise<Record<string, AppProvider>> {
  const { data } = await callEndpoint('providers')
  return data as Record<string, AppProvider>
}

/** Options of {@link signIn}. All others are sent as fields of the form: user name, password, email address. */
export interface SignInOptions<Redirect extends boolean = boolean> extends Record<string, unknown> {
  /** The URL after the sign-in. Default: this page. */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /** `false`: stay here, and return the result. For credentials and email. Default `true`. */
  redirect?: Redirect | undefined
}

/** Parameters for the provider's authorization endpoint, such as `{ login_hint: 'ada@example.com' }`. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** The result of a sign-in without redirect. */
export type SignInResponse =
  | {
      /** True for a successful sign-in with credentials, or if the email is being sent. */
      ok: true
      /** The HTTP status of the response. */
      status: number
      /** Not set. */
      error: undefined
      /** Not set. */
      code: undefined
      /** The URL to which the user should go; `null` after a rejection. */
      url: string
    }
  | {
      /** True for a successful sign-in with credentials, or if the email is being sent. */
      ok: false
      /** The HTTP status of the response: 200 if the server explains the rejection, 0 without a response. */
      status: number
      /**
       * The type of the error (`docs/reference/errors.md`); `NetworkError` or `UnexpectedAnswer` if the server sent
       * none.
       */
      error: string
      /** The reason that `authorize` gave. */
      code: string | undefined
      /** The URL to which the user should go; `null` after a rejection. */
      url: null
    }

/**
 * Starts a sign-in, or opens the sign-in page without a provider or for an unknown one.
 *
 * With `redirect: false` it always resolves to the result. Otherwise it leaves the page, even to explain a rejection,
 * and throws a {@link ClientError} only if the server does not respond.
 *
 * @throws {@link TypeError} for a passkey provider: see `signInWithPasskey` of `server-auth/client/webauthn`.
 *
 * @example
 * ```ts
 * await signIn('github', { redirectTo: '/orders' })
 * const { ok, code } = await signIn('credentials', { username, password, redirect: false })
 * ```
 */
export async function signIn(
  provider?: ProviderId,
  options?: SignInOptions<true>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<void>
/**
 * Signs in without leaving the page: for credentials and email. It resolves to the result, even after a rejection or
 * without a response; `code` is the reason that `authorize` gave.
 *
 * @throws {@link TypeError} for a passkey provider: see `signInWithPasskey` of `server-auth/client/webauthn`.
 */
export async function signIn(
  provider: ProviderId | undefined,
  options: SignInOptions<false>,
  authorizationParams?: SignInAuthorizationParams,
): Promise<SignInResponse>
export async function signIn(
  provider?: ProviderId,
  { redirect = true, redirectTo, callbackUrl, ...fields }: SignInOptions = {},
  params?: SignInAuthorizationParams,
): Promise<SignInResponse | void> {
  try {
    const form = { callbackUrl: redirectTo ?? callbackUrl ?? currentPageUrl(), fields, params }
    const outcome = await requestSignIn(provider, form)
    if (redirect) {
      if (outcome.signedIn) notifyOtherPages()
      return navigateTo(outcome.url)
    }
    if (outcome.signedIn) await notifyAllPages()
    return toSignInResponse(outcome)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    if (!redirect) return toSignInResponse({ status: error.status, error: error.type, url: '' })
    if (error.status === 0) throw error
    return navigateTo(pageUrl('error', { error: error.type }))
  }
}

/** Returns the next URL, and whether the sign-in is complete. With a provider or an email it continues elsewhere. */
async function requestSignIn(
  id: ProviderId | undefined,
  { callbackUrl, fields, params }: { callbackUrl: string; fields: object; params?: SignInAuthorizationParams },
): Promise<FormResult & { readonly signedIn?: boolean }> {
  const signInPage = pageUrl('signin', { callbackUrl })
  if (id === undefined) return { status: 200, url: signInPage }
  const type = (await getProviders())[id]?.type
  if (type === undefined) return { status: 404, url: signInPage, error: 'InvalidProvider' }
  if (type === 'webauthn' || type === 'passkey') {
    throw new TypeError(`"${id}" needs signInWithPasskey of server-auth/client/webauthn`)
  }
  const isComplete = type === 'credentials'
  const query = String(new URLSearchParams(params as Record<string, string>))
  const path = `${isComplete ? 'callback' : 'signin'}/${encodeURIComponent(id)}${query && `?${query}`}`
  const outcome = await submitForm(path, callbackUrl, fields)
  return { ...outcome, signedIn: isComplete && outcome.error === undefined }
}

function toSignInResponse({ status, error, code, url }: FormResult): SignInResponse {
  return error === undefined
    ? { ok: true, status, error, code: undefined, url }
    : { ok: false, status, error, code, url: null }
}
