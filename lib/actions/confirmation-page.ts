/** Pages that require a confirmation: a link checker changes nothing, and a user confirms. */
import type { AuthContext, FlowResult, ResolvedProvider } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { type PageFrame, pageResponse, renderChangeEmail, renderConfirmEmail } from '../pages/index.js'
import { csrfTokenForForm } from '../session/csrf.js'
import type { ConfirmationPage } from '../types/pages.js'
import { checkboxField, rememberCheckbox } from './remember.js'
import { signedInUser } from './requested-provider.js'

/** A flow result that requires a confirmation. */
type ConfirmationResult = Extract<FlowResult, { kind: 'confirm' | 'change-email' }>

/** Returns the confirmation page of a flow; with 403 if the user cannot confirm. */
export function confirmationPage(
  context: AuthContext,
  { id }: ResolvedProvider,
  question: ConfirmationResult,
): Promise<AuthResponse> {
  const action = context.urls.endpoint('callback', id)
  return question.kind === 'confirm'
    ? emailConfirmation(context, question, action)
    : emailChangeConfirmation(context, question, action)
}

function emailConfirmation(
  context: AuthContext,
  question: Extract<ConfirmationResult, { kind: 'confirm' }>,
  action: string,
) {
  const { address, effect } = question
  const remember = rememberCheckbox(context)
  const fields = remember ? { ...question.fields, [checkboxField]: '1' } : question.fields
  const asked = {
    ...({ kind: 'confirm-email', canConfirm: true, address, action, fields } as const),
    ...(effect !== 'sign-in' && { effect }),
    ...(remember && { remember: remember.isChecked }),
  }
  return confirmationResponse(context, asked, (page) =>
    renderConfirmEmail({ ...page, action, address, fields, effect, remember }),
  )
}

function emailChangeConfirmation(
  context: AuthContext,
  question: Extract<ConfirmationResult, { kind: 'change-email' }>,
  action: string,
) {
  const { to, ask } = question
  const asked = {
    ...({ kind: 'change-email', canConfirm: ask !== undefined, address: to, action } as const),
    ...{ fields: ask?.fields ?? {}, ...(ask && { formerAddress: ask.from }) },
  }
  return confirmationResponse(context, asked, (page) => renderChangeEmail({ ...page, action, change: question }))
}

/** The common values of the built-in pages. */
interface BuiltInPageValues {
  readonly frame: PageFrame
  readonly csrfToken: string
  /** The signed-in user, if known. */
  readonly userLabel: string | undefined
  readonly signInUrl: string
  readonly signOutUrl: string
}

const customPageNames = { 'confirm-email': 'confirmEmail', 'change-email': 'changeEmail', connect: 'connect' } as const

/** Returns the page of a question: the developer's page if configured, otherwise the built-in one. */
export async function confirmationResponse(
  context: AuthContext,
  question: Omit<ConfirmationPage, 'nonce' | 'locale' | 'signInUrl' | 'signOutUrl' | 'signedInAs'>,
  render: (page: BuiltInPageValues) => string,
): Promise<AuthResponse> {
  const { config, urls } = context
  const name = customPageNames[question.kind]
  const customPage = config.pages[name]
  const csrfToken = csrfTokenForForm(context)
  const user = await signedInUser(context)
  // The text by which users recognise their account: its email address, otherwise its name. A callback may return
  // anything.
  const isName = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''
  const userLabel = [user?.email, user?.name].find(isName)
  const links = { signInUrl: urls.page('signIn'), signOutUrl: urls.page('signOut') }
  return pageResponse(context, question.canConfirm ? 200 : 403, (frame) => {
    if (!customPage) return render({ frame, csrfToken, userLabel, ...links })
    // The form's own fields replace those with the same name from a link.
    const fields = { ...question.fields, csrfToken, navigation: 'form' }
    const { nonce, language } = frame
    const signedIn = userLabel !== undefined && { signedInAs: userLabel }
    const page: unknown = customPage({ ...question, fields, ...signedIn, ...links, nonce, locale: language.locale })
    if (typeof page === 'string') return page
    throw new TypeError(`\`pages.${name}\` must return the HTML of a page, not ${typeof page}`)
  })
}
