/** Signing out by script. */
import { announce, tellOtherPages } from './changes.js'
import { currentPage, goTo } from './page.js'
import { ClientError, submit } from './request.js'

/** Options of {@link signOut}. */
export interface SignOutParams<Redirect extends boolean = boolean> {
  /** Where the person goes after the sign-out. Default: this page. */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /**
   * Sign out at the provider, too, where its option `logout` leaves the choice. With `redirect: false` the person is signed
   * out there once the browser has been sent to `url`. Default `false`.
   */
  federated?: boolean | undefined
  /** `false`: stay here. Default `true`. */
  redirect?: Redirect | undefined
}

/** What a sign-out without redirect resolves to. */
export interface SignOutResponse {
  /** Where the person would have gone: after the provider's own sign-out, the provider's page. */
  url: string
}

/**
 * Ends the session. Other pages of the site learn of it.
 *
 * @throws {@link ClientError} when the server cannot be asked, and with `redirect: false` when it refuses: the person is
 * still signed in.
 *
 * @example
 * ```ts
 * await signOut({ redirectTo: '/' })
 * ```
 */
export async function signOut(options?: SignOutParams<true>): Promise<void>
/**
 * Ends the session without leaving the page, and resolves to where the person is to go. Other pages of the site learn of it.
 *
 * @throws {@link ClientError} when the server cannot be asked, or refuses: the person is still signed in.
 */
export async function signOut(options: SignOutParams<false>): Promise<SignOutResponse>
export async function signOut({
  redirect = true,
  redirectTo,
  callbackUrl,
  federated,
}: SignOutParams = {}): Promise<SignOutResponse | void> {
  const { status, url, error } = await submit('signout', redirectTo ?? callbackUrl ?? currentPage(), { federated })
  if (redirect) {
    if (error === undefined) tellOtherPages(false)
    return goTo(url)
  }
  if (error !== undefined) throw new ClientError('Sign-out was refused', error, status)
  await announce({ session: null, signedIn: false })
  return { url }
}
