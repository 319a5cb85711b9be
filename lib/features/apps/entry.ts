/** The page and the codes of apps. Loaded at the first request of an app. */
import type { AuthContext } from '../../contracts/index.js'
import { pageResponse } from '../../pages/index.js'
import { csrfTokenForForm } from '../../session/csrf.js'
import { type AppPage, renderApp } from './page-app.js'

export { changeCode, createCode, findCode, readCode } from './store.js'

/** Returns the page on which the user decides. */
export function appPage(context: AuthContext, page: Omit<AppPage, 'frame' | 'csrfToken'>) {
  const csrfToken = csrfTokenForForm(context)
  return pageResponse(context, 200, (frame) => renderApp({ ...page, frame, csrfToken }))
}
