/** Parts of several pages: a captcha, and the error page, which can replace other pages. */

import type { AuthContext } from '../contracts/index.js'
import { errorClasses } from '../errors.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { type CaptchaWidget, type ErrorPage, type PageResponse, pageResponse, renderError } from '../pages/index.js'

/** Returns the configured captcha if `isProviderSignOutWanted` returns true. Otherwise nothing of a third party is loaded. */
export async function captchaWidget(
  { config }: AuthContext,
  isRequired: () => boolean | Promise<boolean>,
): Promise<CaptchaWidget | undefined> {
  const { script, className, siteKey } = config.rateLimit?.captcha ?? {}
  return script !== undefined && (await isRequired()) ? { script, className, siteKey } : undefined
}

/** Returns the error page. */
export function errorPageResponse(
  context: AuthContext,
  status: number,
  page: Pick<ErrorPage, 'error' | 'detail' | 'reference'>,
): PageResponse {
  const { config, urls } = context
  const isLink = page.error === 'Verification' && passwordProviderOf(config) !== undefined
  const forgotUrl = isLink ? urls.endpoint('password', 'forgot') : undefined
  const retryUrl = status >= 500 && canRetry(page.error) ? retryUrlOf(context) : undefined
  return pageResponse(context, status, (frame) =>
    renderError({ frame, signInUrl: urls.page('signIn'), retryUrl, homeUrl: urls.home, forgotUrl, ...page }),
  )
}

/** Checks whether the user can repeat what failed. A sign-out that failed is repeated by the server. */
function canRetry(error: string | undefined): boolean {
  if (error === undefined || error === 'Configuration') return true
  return errorClasses.get(error)?.shown?.signIn !== false
}

/**
 * Returns the URL for another try after a fault: the same page, or the page whose form was sent. A proof that was on its
 * way may be used up, so the user begins again at the sign-in page.
 */
function retryUrlOf({ request, urls }: AuthContext): string {
  const { action, providerId, method, url } = request
  if (action === 'signout') return urls.page('signOut')
  if (method !== 'POST' && repeatableActions.has(action)) {
    return urls.endpoint(action, providerId, Object.fromEntries(url.searchParams))
  }
  return action === 'signup' || action === 'password' ? urls.endpoint(action, providerId) : urls.page('signIn')
}

const repeatableActions: ReadonlySet<string> = new Set(['signin', 'two-factor', 'signup', 'password'])
