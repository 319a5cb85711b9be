/** The pages of passwords, and the redirects to custom pages. */

import { wantsUrl } from '../../actions/failure.js'
import { captchaWidget } from '../../actions/page-frame.js'
import type { AuthContext, PasswordFacts, PasswordProvider } from '../../contracts/index.js'
import { AuthError, CaptchaRequired, CredentialsSignin, errorClasses, PasswordRejected } from '../../errors.js'
import { type AuthResponse, asksForJson, type SafeRedirect } from '../../http/message.js'
import {
  errorSentence,
  type PageFrame,
  pageResponse,
  passwordContent,
  passwordSentence,
  renderPassword,
} from '../../pages/index.js'
import { csrfTokenFor } from '../../session/csrf.js'
import type { PasswordPages } from '../../types/pages.js'
import { isCaptchaExpected } from '../limits/captcha.js'

/** The content of a page, and the error of its form. */
export type ShownFacts = PasswordFacts & {
  /** The error after which the form is shown again. */
  readonly refusal?: AuthError
}

/** Checks whether the form is shown again after an error. API clients get the error as usual. */
export function isTypedAgain(context: AuthContext, error: unknown): error is AuthError {
  const { request } = context
  if (asksForJson(request.headers) || wantsUrl(request)) return false
  return error instanceof AuthError && errorClasses.get(error.type)?.retry === 'form'
}

/** Returns the links of the sign-in page. */
export function passwordLinks(urls: AuthContext['urls'], { id, password }: PasswordProvider) {
  return {
    forgotUrl: urls.endpoint('password', 'forgot'),
    signUpUrl: password.signUp ? urls.endpoint('signup', id) : undefined,
  }
}

/** Renders the page, or redirects to the custom page. */
export async function pageOf(
  context: AuthContext,
  provider: PasswordProvider,
  facts: ShownFacts,
): Promise<AuthResponse> {
  const { refusal } = facts
  const answer = linkAnswer(context, facts)
  if (answer) return answer
  const custom = customPage(context, facts)
  if (custom) return { kind: 'redirect', to: custom }
  const { urls } = context
  const action = facts.step === 'signUp' ? urls.endpoint('signup', provider.id) : urls.endpoint('password', facts.step)
  const csrfToken = csrfTokenFor(context)
  const captcha = await captchaOf(context, provider, facts)
  const { body } = context.request
  const typed = typeof body.email === 'string' ? body.email.slice(0, 254) : undefined
  const [{ minLength }, signInUrl] = [provider.password, urls.page('signIn')]
  const page = pageResponse(context, statusOf(facts), (frame) => {
    const { fields, button, ...content } = passwordContent(frame, facts, { minLength, typed, signInUrl })
    const form = fields && {
      ...{ action, csrfToken, fields, button, captcha },
      ...('callbackUrl' in facts && { callbackUrl: facts.callbackUrl }),
      ...('link' in facts && { link: facts.link.sealed }),
    }
    const error = refusal && wordsFor(frame, refusal)
    return renderPassword({ frame, name: facts.step === 'signUp' ? 'sign-up' : 'password', ...content, form, error })
  })
  return captcha ? { ...page, captcha: true } : page
}

function statusOf(facts: ShownFacts): number {
  if (facts.refusal) return errorClasses.get(facts.refusal.type)?.status ?? 400
  return facts.step === 'change' && !['current', 'fresh', 'first'].includes(facts.change) ? 403 : 200
}

/** Returns the email address and the reference of a link, for the script of a custom page. The address is in no URL. */
function linkAnswer({ request }: AuthContext, facts: ShownFacts): AuthResponse | undefined {
  if (request.method !== 'GET' || !('link' in facts) || !asksForJson(request.headers)) return undefined
  return { kind: 'json', status: 200, data: { email: facts.email, link: facts.link.reference } }
}

/** The keys of custom pages in the option `pages`. */
const customPages: Readonly<Record<PasswordFacts['step'], keyof PasswordPages | undefined>> = {
  signUp: 'signUp',
  verify: undefined,
  forgot: 'forgotPassword',
  reset: 'resetPassword',
  change: 'changePassword',
}

/** Returns the URL of the custom page. A custom page with the URL of ours would redirect in a loop. */
function customPage({ config, urls }: AuthContext, facts: ShownFacts): SafeRedirect | undefined {
  const page = customPages[facts.step]
  const path = page && config.pages[page]
  if (path === undefined) return undefined
  const { refusal } = facts
  const to = urls.at(path, {
    callbackUrl: 'callbackUrl' in facts ? facts.callbackUrl : undefined,
    link: 'link' in facts ? facts.link.reference : undefined,
    error: refusal?.type,
    code: refusal instanceof PasswordRejected ? refusal.code : undefined,
  })
  return urls.isOwnEndpoint(new URL(to)) ? undefined : to
}

function wordsFor({ language }: PageFrame, error: AuthError): string | undefined {
  if (error instanceof PasswordRejected) return passwordSentence(language, error.code)
  if (error instanceof CredentialsSignin) return passwordSentence(language, 'wrong')
  return errorSentence(language, error.type)
}

async function captchaOf(context: AuthContext, { id: provider }: PasswordProvider, { step, refusal }: ShownFacts) {
  if (step !== 'signUp' && step !== 'forgot') return undefined
  const rule = step === 'signUp' ? 'signUp' : 'mail'
  return captchaWidget(
    context,
    () => refusal instanceof CaptchaRequired || isCaptchaExpected(context, { rule, provider }),
  )
}
