/** The page that is shown in the place of others: an error. */
import { passwordProviderOf } from '../config/password-provider.js'
import type { AuthContext } from '../contracts/index.js'
import { type ErrorPage, type PageResponse, pageResponse, renderError } from '../pages/index.js'

/** The error page. */
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
