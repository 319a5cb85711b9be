/** The pages of passwords, and the redirects to custom pages. */

import { wantsUrl } from '../../actions/failure.js'
import { captchaWidget } from '../../actions/page-frame.js'
import type { AuthContext, PasswordPageFacts, PasswordProvider } from '../../contracts/index.js'
import { AuthError, CaptchaRequired, CredentialsSignin, errorClasses, PasswordRejected } from '../../errors.js'
import { type AuthResponse, prefersJson, type SafeRedirect } from '../../http/message.js'
import {
  errorSentence,
  type PageFrame,
  pageResponse,
  passwordContent,
  passwordSentence,
  renderPassword,
} from '../../pages/index.js'
import { csrfTokenForForm } from '../../session/csrf.js'
import type { PasswordPages } from '../../types/pages.js'
import { isCaptchaExpected } from '../limits/captcha.js'

/** The content of a page, and the error of its form. */
export type PasswordPageState = PasswordPageFacts & {
  /** The error after which the form is shown again. */
  readonly rejection?: AuthError
}

/** Checks whether the form is shown again after an error. API clients get the error as usual. */
export function isFormShownAgain(context: AuthContext, error: unknown): error is AuthError {
  const { request } = context
  if (prefersJson(request.headers) || wantsUrl(request)) return false
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
export async function passwordPageResponse(
  context: AuthContext,
  provider: PasswordProvider,
  facts: PasswordPageState,
): Promise<AuthResponse> {
  const { rejection } = facts
  const answer = linkJsonResponse(context, facts)
  if (answer) return answer
  const custom = customPageUrl(context, facts)
  if (custom) return { kind: 'redirect', to: custom }
  const { urls } = context
  const action = facts.step === 'signUp' ? urls.endpoint('signup', provider.id) : urls.endpoint('password', facts.step)
  const csrfToken = csrfTokenForForm(context)
  const captcha = await passwordPageCaptcha(context, provider, facts)
  const { body } = context.request
  const typed = typeof body.email === 'string' ? body.email.slice(0, 254) : undefined
  const [{ minLength }, signInUrl] = [provider.password, urls.page('signIn')]
  const page = pageResponse(context, passwordPageStatus(facts), (frame) => {
    const { fields, button, ...content } = passwordContent(frame, facts, { minLength, typed, signInUrl })
    const form = fields && {
      ...{ action, csrfToken, fields, button, captcha },
      ...('callbackUrl' in facts && { callbackUrl: facts.callbackUrl }),
      ...('link' in facts && { link: facts.link.sealed }),
    }
    const error = rejection && passwordErrorText(frame, rejection)
    return renderPassword({ frame, name: facts.step === 'signUp' ? 'sign-up' : 'password', ...content, form, error })
  })
  return captcha ? { ...page, captcha: true } : page
}

function passwordPageStatus(facts: PasswordPageState): number {
  if (facts.rejection) return errorClasses.get(facts.rejection.type)?.status ?? 400
  return facts.step === 'change' && !['current', 'fresh', 'first'].includes(facts.change) ? 403 : 200
}

/** Returns the email address and the reference of a link, for the script of a custom page. The address is in no URL. */
function linkJsonResponse({ request }: AuthContext, facts: PasswordPageState): AuthResponse | undefined {
  if (request.method !== 'GET' || !('link' in facts) || !prefersJson(request.headers)) return undefined
  return { kind: 'json', status: 200, data: { email: facts.email, link: facts.link.reference } }
}

/** The keys of custom pages in the option `pages`. */
const customPages: Readonly<Record<PasswordPageFacts['step'], keyof PasswordPages | undefined>> = {
  signUp: 'signUp',
  verify: undefined,
  forgot: 'forgotPassword',
  reset: 'resetPassword',
  change: 'changePassword',
}

/** Returns the URL of the custom page. A custom page with the URL of our page would redirect in a loop. */
function customPageUrl({ config, urls }: AuthContext, facts: PasswordPageState): SafeRedirect | undefined {
  const page = customPages[facts.step]
  const path = page && config.pages[page]
  if (path === undefined) return undefined
  const { rejection } = facts
  const to = urls.customUrl(path, {
    callbackUrl: 'callbackUrl' in facts ? facts.callbackUrl : undefined,
    link: 'link' in facts ? facts.link.reference : undefined,
    error: rejection?.type,
    code: rejection instanceof PasswordRejected ? rejection.code : undefined,
  })
  return urls.isOwnEndpoint(new URL(to)) ? undefined : to
}

function passwordErrorText({ language }: PageFrame, error: AuthError): string | undefined {
  if (error instanceof PasswordRejected) return passwordSentence(language, error.code)
  if (error instanceof CredentialsSignin) return passwordSentence(language, 'wrong')
  return errorSentence(language, error.type)
}

async function passwordPageCaptcha(
  context: AuthContext,
  { id: provider }: PasswordProvider,
  { step, rejection }: PasswordPageState,
) {
  if (step !== 'signUp' && step !== 'forgot') return undefined
  const rule = step === 'signUp' ? 'signUp' : 'mail'
  return captchaWidget(
    context,
    () => rejection instanceof CaptchaRequired || isCaptchaExpected(context, { rule, provider }),
  )
}
