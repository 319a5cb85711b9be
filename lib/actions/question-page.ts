/** The pages behind mailed links: what may be a program that looks at links changes nothing, a person says yes. */
import type { AuthContext, FlowResult, ResolvedProvider } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { renderChangeEmail, renderConfirmEmail } from '../pages/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import { questionResponse } from './page-frame.js'
import { boxShown, rememberBox } from './remember.js'
import { signedInUser } from './signed-in.js'

/** What a flow asks. */
type Question = Extract<FlowResult, { kind: 'confirm' | 'change-email' }>

/** The page of a question; with 403 where the person cannot say yes. */
export async function questionPage(
  context: AuthContext,
  provider: ResolvedProvider,
  question: Question,
): Promise<AuthResponse> {
  const action = context.urls.endpoint('callback', provider.id)
  const page = { csrfToken: csrfTokenFor(context), action, who: await nameOf(context) }
  return question.kind === 'confirm' ? confirm(context, question, page) : change(context, question, page)
}

interface Common {
  readonly csrfToken: string
  readonly action: string
  readonly who: string | undefined
}

function confirm(context: AuthContext, question: Extract<Question, { kind: 'confirm' }>, page: Common): AuthResponse {
  const { address, effect } = question
  const remember = rememberBox(context)
  const fields = remember ? { ...question.fields, [boxShown]: '1' } : question.fields
  const asked = {
    ...({ kind: 'confirm-email', canConfirm: true, address } as const),
    ...common(page, fields),
    ...(effect !== 'sign-in' && { effect }),
    ...(remember && { remember: remember.isTicked }),
  }
  return questionResponse(context, asked, (frame) =>
    renderConfirmEmail({ frame, ...page, address, fields, effect, remember }),
  )
}

function change(
  context: AuthContext,
  question: Extract<Question, { kind: 'change-email' }>,
  page: Common,
): AuthResponse {
  const { urls } = context
  const { to, ask } = question
  const asked = {
    ...({ kind: 'change-email', canConfirm: ask !== undefined, address: to } as const),
    ...common(page, ask?.fields ?? {}),
    ...(ask && { formerAddress: ask.from }),
  }
  const [signInUrl, signOutUrl] = [urls.page('signIn'), urls.page('signOut')]
  return questionResponse(context, asked, (frame) =>
    renderChangeEmail({ frame, ...page, signInUrl, signOutUrl, change: question }),
  )
}

/** The form of a page of the developer's own. What a link says in the place of the form's own fields is not taken. */
function common({ csrfToken, action, who }: Common, fields: Readonly<Record<string, string>>) {
  return {
    action,
    fields: { ...fields, csrfToken, navigation: 'form' },
    ...(who !== undefined && { signedInAs: who }),
  }
}

/** By what the person knows their account: its address, else its name. */
async function nameOf(context: AuthContext): Promise<string | undefined> {
  const user = await signedInUser(context)
  return [user?.email, user?.name].find((text): text is string => typeof text === 'string' && text.trim() !== '')
}
