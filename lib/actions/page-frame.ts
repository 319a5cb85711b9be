/** What each built-in page needs of a request. */
import type { AuthContext } from '../contracts/index.js'
import { randomText } from '../crypto/random.js'
import type { AuthResponse } from '../http/message.js'
import { type ErrorPage, type PageFrame, renderError } from '../pages/index.js'
import type { QuestionPage } from '../types/question-pages.js'

type PageResponse = Extract<AuthResponse, { kind: 'page' }>

/** A page's answer: rendered with a fresh nonce. */
export function pageResponse(
  { config, request, urls }: AuthContext,
  status: number,
  render: (frame: PageFrame) => string,
): PageResponse {
  const nonce = randomText(16)
  const language = config.languages.of(request)
  const html = render({ nonce, theme: config.theme, host: urls.host, language })
  const headers = { 'content-language': language.locale }
  return { kind: 'page', html, nonce, status, ...(config.languages.areNegotiated && { headers }) }
}

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
  const { urls } = context
  return pageResponse(context, status, (frame) =>
    renderError({ frame, signInUrl: urls.page('signIn'), homeUrl: urls.home, ...page }),
  )
}
