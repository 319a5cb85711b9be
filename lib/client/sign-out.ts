/** Sign-out from scripts. */

import { currentPageUrl, navigateTo } from './page.js'
import { ClientError, submitForm } from './request.js'
import { notifyAllPages, notifyOtherPages } from './session-changes.js'

/** Options of {@link signOut}. */
export interface SignOutParams<Redirect extends boolean = boolean> {
  /** The URL after the sign-out. Default: this page. */
  redirectTo?: string | undefined
  /** @deprecated Use `redirectTo`. */
  callbackUrl?: string | undefined
  /**
   * Sign out at the provider too, if its option `logout` allows the choice. With `redirect: false` the user is signed
   * out there when the browser has opened `url`. Default `false`.
   */
  federated?: boolean | undefined
  /** `false`: stay here. Default `true`. */
  redirect?: Redirect | undefined
}

/** The result of a sign-out without redirect. */
export interface SignOutResponse {
  /** The URL to which the user should go: if the provider signs the user out too, the provider's page. */
  url: string
}

/**
 * Ends the session. Other pages of the site are notified.
 *
 * @throws {@link ClientError} if the request fails, and with `redirect: false` if it is rejected: the user is still
 *   signed in.
 *
 * @example
 * ```ts
 * await signOut({ redirectTo: '/' })
 * ```
 */
export async function signOut(options?: SignOutParams<true>): Promise<void>
/**
 * Ends the session without leaving the page, and resolves to the next URL. Other pages of the site are notified.
 *
 * @throws {@link ClientError} if the request fails or is rejected: the user is still signed in.
 */
export async function signOut(options: SignOutParams<false>): Promise<SignOutResponse>
export async function signOut({
  redirect = true,
  redirectTo,
  callbackUrl,
  federated,
}: SignOutParams = {}): Promise<SignOutResponse | void> {
  const { status, url, error } = await submitForm('signout', redirectTo ?? callbackUrl ?? currentPageUrl(), {
    federated,
  })
  if (redirect) {
    if (error === undefined) notifyOtherPages(false)
    return navigateTo(url)
  }
  if (error !== undefined) throw new ClientError('The sign-out was rejected', error, status)
  await notifyAllPages({ session: null, signedIn: false })
  return { url }
}
