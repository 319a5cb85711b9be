/** Signing in by script. */
import type { AppProvider } from '../types/provider.js'
import type { BuiltInProviderType } from '../types/provider-ids.js'
import { announce, tellOtherPages } from './changes.js'
import { currentPage, goTo } from './page.js'
import { ask, ClientError, type Outcome, pageUrl, submit } from './request.js'

/** The id of a provider: a built-in one, or one of yours. */
export type ProviderId = BuiltInProviderType | (string & Record<never, never>)

/**
 * The providers by id, in the order of the configuration.
 *
 * @throws {@link ClientError} when the server cannot be asked.
 */
export async function getProviders(): Promise<Record<string, AppProvider>> {
  const { data } = await ask('providers')
  return data as Record<string, AppProvider>
}

/** Options of {@link signIn}. All others are sent as fields of the form: user name, password, e-mail address. */
export interface SignInOptions<Redirect extends boolean = boolean> extends Record<string, unknown> {
  /** Where the person goes after the sign-in. Default: this page. */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /** `false`: stay here, and tell what happened. For credentials and e-mail. Default `true`. */
  redirect?: Redirect | undefined
}

/** Parameters for the provider's authorization endpoint, such as `{ login_hint: 'ada@example.com' }`. */
export type SignInAuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

/** How a sign-in without redirect ended. */
export type SignInResponse =
  | {
      /** Whether nothing went wrong: signed in with credentials, or the mail is on its way. */
      ok: true
      /** The HTTP status of the answer. */
      status: number
      /** There is none. */
      error: undefined
      /** There is none. */
      code: undefined
      /** Where the person is to go now; `null` after a refusal. */
      url: string
    }
  | {
      /** Whether nothing went wrong: signed in with credentials, or the mail is on its way. */
      ok: false
      /** The status of the answer: 200 where the server explains the refusal, 0 where there was no answer. */
      status: number
      /** Type of the error (`docs/reference/errors.md`); `NetworkError` or `UnexpectedAnswer` where the server told none. */
      error: string
      /** What `authorize` gave as a reason. */
      code: string | undefined
      /** Where the person is to go now; `null` after a refusal. */
      url: null
    }

/**
 * Starts a sign-in, or goes to the sign-in page where no provider is named or it is not known.
 *
 * With `redirect: false` it always resolves to what happened. Otherwise it leaves the page, also to tell about a refusal,
 * and throws a {@link ClientError} only where there is nowhere to go: the server cannot be asked.
 *
 * @throws {@link TypeError} for a provider of passkeys: see `signInWithPasskey` of `server-auth/client/webauthn`.
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
 * Signs in without leaving the page: for credentials and e-mail. It resolves to what happened, also after a refusal and where the
 * server cannot be asked; `code` is the reason that `authorize` gave.
 *
 * @throws {@link TypeError} for a provider of passkeys: see `signInWithPasskey` of `server-auth/client/webauthn`.
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
    const form = { callbackUrl: redirectTo ?? callbackUrl ?? currentPage(), fields, params }
    const outcome = await begin(provider, form)
    if (redirect) {
      if (outcome.signedIn) tellOtherPages()
      return goTo(outcome.url)
    }
    if (outcome.signedIn) await announce()
    return toResponse(outcome)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    if (!redirect) return toResponse({ status: error.status, error: error.type, url: '' })
    if (error.status === 0) throw error
    return goTo(pageUrl('error', { error: error.type }))
  }
}

/** Where a sign-in leads, and whether it is complete: those at a provider, and by mail, go on elsewhere. */
async function begin(
  id: ProviderId | undefined,
  { callbackUrl, fields, params }: { callbackUrl: string; fields: object; params?: SignInAuthorizationParams },
): Promise<Outcome & { readonly signedIn?: boolean }> {
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
  const outcome = await submit(path, callbackUrl, fields)
  return { ...outcome, signedIn: isComplete && outcome.error === undefined }
}

function toResponse({ status, error, code, url }: Outcome): SignInResponse {
  return error === undefined
    ? { ok: true, status, error, code: undefined, url }
    : { ok: false, status, error, code, url: null }
}
