/** The pages of passwords: which words and fields each has, and the developer's in their place. */
import type { AuthContext, PasswordProvider } from '../contracts/index.js'
import {
  type AuthError,
  CaptchaRequired,
  CredentialsSignin,
  EmailSignInError,
  errorClasses,
  PasswordRejected,
} from '../errors.js'
import type { ChangeStep } from '../flows/index.js'
import { type AuthResponse, asksForJson, type SafeRedirect } from '../http/message.js'
import { type QueryParams, safeRedirect } from '../http/urls.js'
import { isCaptchaExpected } from '../limits/captcha.js'
import {
  type CaptchaWidget,
  errorSentence,
  htmlOf,
  type PageFrame,
  type PasswordField,
  type PasswordPage,
  pageResponse,
  passwordSentence,
  renderName,
  renderPassword,
  renderSite,
  textOf,
} from '../pages/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import { wantsUrl } from './failure.js'

/** What a page is about. */
export type PasswordFacts = (
  | { readonly step: 'signUp'; readonly callbackUrl: string }
  | { readonly step: 'forgot' }
  | { readonly step: 'reset'; readonly email: string }
  | { readonly step: 'verify'; readonly email: string; readonly isElsewhere: boolean }
  | {
      readonly step: 'change'
      readonly change: ChangeStep
      readonly email?: string | undefined
      readonly callbackUrl?: string
    }
) & {
  /** Why the form is shown again. */
  readonly refusal?: Mendable
}

/** What a person can mend by typing something else. */
type Mendable = PasswordRejected | EmailSignInError | CredentialsSignin | CaptchaRequired

const mendable = [PasswordRejected, EmailSignInError, CredentialsSignin, CaptchaRequired] as const

/** Whether the form is to be shown again. Programs get the error as everywhere. */
export function isTypedAgain(context: AuthContext, error: unknown): error is Mendable {
  const { request } = context
  if (asksForJson(request.headers) || wantsUrl(request)) return false
  return mendable.some((each) => error instanceof each)
}

/** The links of the sign-in page. */
export function passwordLinks(urls: AuthContext['urls'], { id, password }: PasswordProvider) {
  return {
    forgotUrl: urls.endpoint('password', 'forgot'),
    signUpUrl: password.signUp ? urls.endpoint('signup', id) : undefined,
  }
}

/** The page, or the way to the developer's. */
export async function pageOf(
  context: AuthContext,
  provider: PasswordProvider,
  facts: PasswordFacts,
): Promise<AuthResponse> {
  const { refusal } = facts
  const custom = customPage(context, provider, facts)
  if (custom) return { kind: 'redirect', to: custom }
  const csrfToken = csrfTokenFor(context)
  const captcha = await captchaOf(context, provider, facts)
  const page = pageResponse(context, statusOf(facts), (frame) => {
    const { fields, button, ...content } = contents(context, provider, { frame, facts })
    const form = fields && {
      ...{ action: actionOf(context, provider, facts), csrfToken, fields, button, captcha },
      ...('callbackUrl' in facts && { callbackUrl: facts.callbackUrl }),
    }
    const error = refusal && wordsFor(frame, refusal)
    return renderPassword({ frame, name: facts.step === 'signUp' ? 'sign-up' : 'password', ...content, form, error })
  })
  return captcha ? { ...page, captcha: true } : page
}

function statusOf(facts: PasswordFacts): number {
  if (facts.refusal) return errorClasses.get(facts.refusal.type)?.status ?? 400
  return facts.step === 'change' && !(facts.change in changeable) ? 403 : 200
}

const changeable = { current: true, fresh: true, first: true }

/** The developer's page. One that leads back to ours would go round for ever. */
function customPage(
  { urls }: AuthContext,
  { password }: PasswordProvider,
  facts: PasswordFacts,
): SafeRedirect | undefined {
  const path = facts.step === 'verify' ? undefined : password.pages[facts.step]
  if (path === undefined) return undefined
  const url = new URL(path, urls.origin)
  if (urls.isOwnEndpoint(url)) return undefined
  const { refusal } = facts
  const params: QueryParams = {
    callbackUrl: 'callbackUrl' in facts ? facts.callbackUrl : undefined,
    error: refusal?.type,
    code: refusal instanceof PasswordRejected ? refusal.code : undefined,
  }
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value)
  return safeRedirect(url)
}

function actionOf({ urls }: AuthContext, { id }: PasswordProvider, { step }: PasswordFacts): string {
  return step === 'signUp' ? urls.endpoint('signup', id) : urls.endpoint('password', step)
}

function wordsFor({ language }: PageFrame, error: Mendable): string | undefined {
  if (error instanceof PasswordRejected) return passwordSentence(language, error.code)
  if (error instanceof CredentialsSignin) return passwordSentence(language, 'wrong')
  return errorSentence(language, (error as AuthError).type)
}

async function captchaOf(
  context: AuthContext,
  { id }: PasswordProvider,
  { step, refusal }: PasswordFacts,
): Promise<CaptchaWidget | undefined> {
  const { script, className, siteKey } = context.config.rateLimit?.captcha ?? {}
  if (script === undefined || (step !== 'signUp' && step !== 'forgot')) return undefined
  const rule = step === 'signUp' ? 'signUp' : 'mail'
  const isAsked = refusal instanceof CaptchaRequired || (await isCaptchaExpected(context, { rule, provider: id }))
  return isAsked ? { script, className, siteKey } : undefined
}

type Content = Pick<PasswordPage, 'title' | 'lead' | 'texts' | 'links'> & {
  readonly fields?: readonly PasswordField[]
  readonly button: string
}

function contents(
  { urls, request }: AuthContext,
  { password }: PasswordProvider,
  { frame, facts }: { frame: PageFrame; facts: PasswordFacts },
): Content {
  const { language } = frame
  const { minLength } = password
  const typed = typeof request.body.email === 'string' ? request.body.email.slice(0, 254) : undefined
  const signIn = { href: urls.page('signIn'), text: textOf(language, 'password.signInLink') }
  const newPassword = { kind: 'new', minLength } as const
  const length = textOf(language, 'password.length', { count: String(minLength) })
  const site = renderSite(frame)
  const save = textOf(language, 'password.saveButton')
  switch (facts.step) {
    case 'signUp':
      return {
        title: textOf(language, 'password.signUpTitle'),
        lead: htmlOf(language, 'password.signUpLead', { site }),
        texts: [length],
        fields: [{ kind: 'email', typed }, newPassword],
        button: textOf(language, 'password.signUpButton'),
        links: [signIn],
      }
    case 'forgot':
      return {
        title: textOf(language, 'password.forgotTitle'),
        texts: [textOf(language, 'password.forgotText')],
        fields: [{ kind: 'email', typed }],
        button: textOf(language, 'signIn.sendLink'),
        links: [signIn],
      }
    case 'reset':
      return {
        title: textOf(language, 'password.resetTitle'),
        lead: htmlOf(language, 'password.resetLead', { site, address: renderName(facts.email) }),
        texts: [textOf(language, 'password.resetText'), length],
        fields: [{ kind: 'known', email: facts.email }, newPassword],
        button: save,
        links: [],
      }
    case 'verify': {
      const texts = facts.isElsewhere ? [textOf(language, 'password.verifyAnew'), length] : []
      return {
        title: textOf(language, 'password.verifyTitle'),
        lead: htmlOf(language, 'password.verifyLead', { site, address: renderName(facts.email) }),
        texts: [textOf(language, 'password.verifyAdvice'), ...texts],
        fields: facts.isElsewhere ? [{ kind: 'known', email: facts.email }, newPassword] : [],
        button: textOf(language, 'password.signUpButton'),
        links: [],
      }
    }
    case 'change':
      return changeContents(frame, { ...facts, length, save, newPassword, signInUrl: urls.page('signIn') })
  }
}

interface Change {
  readonly change: ChangeStep
  readonly email?: string | undefined
  readonly length: string
  readonly save: string
  readonly newPassword: PasswordField
  readonly signInUrl: string
}

function changeContents(frame: PageFrame, { change, email, length, save, newPassword, signInUrl }: Change): Content {
  const { language } = frame
  const isFirst = change === 'first' || change === 'stale' || change === 'unproved'
  const title = textOf(language, isFirst ? 'password.firstTitle' : 'password.changeTitle')
  const signIn = { href: signInUrl, text: textOf(language, 'signIn.button') }
  switch (change) {
    case 'signedOut':
      return { title, texts: [textOf(language, 'password.signInFirst')], button: save, links: [signIn] }
    case 'stale':
      return { title, texts: [textOf(language, 'password.signInAgain')], button: save, links: [signIn] }
    case 'unproved':
      return { title, texts: [textOf(language, 'password.proveFirst')], button: save, links: [signIn] }
    default: {
      const known: PasswordField[] = email === undefined ? [] : [{ kind: 'known', email }]
      const current: PasswordField[] = change === 'current' ? [{ kind: 'current' }] : []
      const address = email === undefined ? undefined : renderName(email)
      return {
        title,
        lead: address && htmlOf(language, 'password.changeLead', { site: renderSite(frame), address }),
        texts: [textOf(language, 'password.changeText'), length],
        fields: [...known, ...current, newPassword],
        button: save,
        links: [],
      }
    }
  }
}
