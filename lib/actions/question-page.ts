/** The pages behind mailed links: what may be a program that looks at links changes nothing, a person says yes. */
import type { AuthContext, FlowResult, ResolvedProvider } from '../contracts/index.js'
import type { AuthResponse } from '../http/message.js'
import { renderChangeEmail, renderConfirmEmail } from '../pages/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import { pageResponse } from './page-frame.js'
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
  const { urls } = context
  const action = urls.endpoint('callback', provider.id)
  const page = { csrfToken: csrfTokenFor(context), action, who: await nameOf(context) }
  if (question.kind === 'confirm') {
    const { address, effect } = question
    const remember = rememberBox(context)
    const fields = remember ? { ...question.fields, [boxShown]: '1' } : question.fields
    return pageResponse(context, 200, (frame) =>
      renderConfirmEmail({ frame, ...page, address, fields, effect, remember }),
    )
  }
  const [signInUrl, signOutUrl] = [urls.page('signIn'), urls.page('signOut')]
  return pageResponse(context, question.ask ? 200 : 403, (frame) =>
    renderChangeEmail({ frame, ...page, signInUrl, signOutUrl, change: question }),
  )
}

/** By what the person knows their account: its address, else its name. */
async function nameOf(context: AuthContext): Promise<string | undefined> {
  const user = await signedInUser(context)
  return [user?.email, user?.name].find((text): text is string => typeof text === 'string' && text.trim() !== '')
}
