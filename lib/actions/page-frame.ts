/** Parts of several pages: a captcha, and the error page, which can replace other pages. */

import type { AuthContext } from '../contracts/index.js'
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
  return pageResponse(context, status, (frame) =>
    renderError({ frame, signInUrl: urls.page('signIn'), homeUrl: urls.home, forgotUrl, ...page }),
  )
}
