/** Pages that stand in the place of others: questions, which the developer's own may replace, and errors. */
import { passwordProviderOf } from '../config/password-provider.js'
import type { AuthContext } from '../contracts/index.js'
import { type ErrorPage, type PageFrame, type PageResponse, pageResponse, renderError } from '../pages/index.js'
import type { QuestionPage } from '../types/question-pages.js'

const ownPages = { 'confirm-email': 'confirmEmail', 'change-email': 'changeEmail', connect: 'connect' } as const

/** The page of a question: the developer's where there is one, else the built-in one. */
export function questionResponse(
  context: AuthContext,
  question: Omit<QuestionPage, 'nonce' | 'locale' | 'signInUrl' | 'signOutUrl'>,
  render: (frame: PageFrame) => string,
): PageResponse {
  const { config, urls } = context
  const own = config.questionPages[ownPages[question.kind]]
  return pageResponse(context, question.canConfirm ? 200 : 403, (frame) => {
    if (!own) return render(frame)
    const [signInUrl, signOutUrl] = [urls.page('signIn'), urls.page('signOut')]
    const { nonce, language } = frame
    const page: unknown = own({ ...question, signInUrl, signOutUrl, nonce, locale: language.locale })
    if (typeof page === 'string') return page
    throw new TypeError(
      `\`questionPages.${ownPages[question.kind]}\` must return the HTML of a page, not ${typeof page}`,
    )
  })
}

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
