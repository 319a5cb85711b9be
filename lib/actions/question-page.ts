/** Pages that require a confirmation: a link checker changes nothing, and a user confirms. */
import type { AuthContext, FlowResult, ResolvedProvider } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { type PageFrame, pageResponse, renderChangeEmail, renderConfirmEmail } from '../pages/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import type { QuestionPage } from '../types/pages.js'
import { boxShown, rememberBox } from './remember.js'
import { signedInUser } from './request.js'

/** A flow result that requires a confirmation. */
type Question = Extract<FlowResult, { kind: 'confirm' | 'change-email' }>

/** Returns the confirmation page of a flow; with 403 if the user cannot confirm. */
export function questionPage(
  context: AuthContext,
  { id }: ResolvedProvider,
  question: Question,
): Promise<AuthResponse> {
  const action = context.urls.endpoint('callback', id)
  return question.kind === 'confirm' ? confirm(context, question, action) : change(context, question, action)
}

function confirm(context: AuthContext, question: Extract<Question, { kind: 'confirm' }>, action: string) {
  const { address, effect } = question
  const remember = rememberBox(context)
  const fields = remember ? { ...question.fields, [boxShown]: '1' } : question.fields
  const asked = {
    ...({ kind: 'confirm-email', canConfirm: true, address, action, fields } as const),
    ...(effect !== 'sign-in' && { effect }),
    ...(remember && { remember: remember.isTicked }),
  }
  return questionResponse(context, asked, (page) =>
    renderConfirmEmail({ ...page, action, address, fields, effect, remember }),
  )
}

function change(context: AuthContext, question: Extract<Question, { kind: 'change-email' }>, action: string) {
  const { to, ask } = question
  const asked = {
    ...({ kind: 'change-email', canConfirm: ask !== undefined, address: to, action } as const),
    ...{ fields: ask?.fields ?? {}, ...(ask && { formerAddress: ask.from }) },
  }
  return questionResponse(context, asked, (page) => renderChangeEmail({ ...page, action, change: question }))
}

/** The common values of the built-in pages. */
interface BuiltIn {
  readonly frame: PageFrame
  readonly csrfToken: string
  /** The signed-in user, if known. */
  readonly who: string | undefined
  readonly signInUrl: string
  readonly signOutUrl: string
}

const ownPages = { 'confirm-email': 'confirmEmail', 'change-email': 'changeEmail', connect: 'connect' } as const

/** Returns the page of a question: the developer's page if configured, otherwise the built-in one. */
export async function questionResponse(
  context: AuthContext,
  question: Omit<QuestionPage, 'nonce' | 'locale' | 'signInUrl' | 'signOutUrl' | 'signedInAs'>,
  render: (page: BuiltIn) => string,
): Promise<AuthResponse> {
  const { config, urls } = context
  const name = ownPages[question.kind]
  const own = config.pages[name]
  const csrfToken = csrfTokenFor(context)
  const user = await signedInUser(context)
  // The text by which users recognise their account: its email address, otherwise its name. A callback may return
  // anything.
  const isName = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''
  const who = [user?.email, user?.name].find(isName)
  const links = { signInUrl: urls.page('signIn'), signOutUrl: urls.page('signOut') }
  return pageResponse(context, question.canConfirm ? 200 : 403, (frame) => {
    if (!own) return render({ frame, csrfToken, who, ...links })
    // The form's own fields replace those with the same name from a link.
    const fields = { ...question.fields, csrfToken, navigation: 'form' }
    const { nonce, language } = frame
    const signedIn = who !== undefined && { signedInAs: who }
    const page: unknown = own({ ...question, fields, ...signedIn, ...links, nonce, locale: language.locale })
    if (typeof page === 'string') return page
    throw new TypeError(`\`pages.${name}\` must return the HTML of a page, not ${typeof page}`)
  })
}
