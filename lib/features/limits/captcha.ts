/**
 * Captchas before the work of an attempt.
 *
 * Attempts without a captcha are counted like all attempts: concurrent attempts cannot pass together, unknown accounts
 * are counted as well, and a known browser has its own count.
 */
import { withTimeout } from '../../base/timeout.js'
import type { AuthContext, ResolvedCaptcha } from '../../contracts/index.js'
import { CaptchaRequired, CaptchaUnavailable } from '../../errors.js'
import { type AuthRequest, header, requestInfo } from '../../http/message.js'
import { toFault } from '../../store/fault.js'
import type { Awaitable } from '../../types/identity.js'
import { type Attempt, type Taken, take, tryTake } from './attempts.js'
import type { CaptchaContext } from './captcha-types.js'

/** Milliseconds that the developer's functions may take, including the captcha service. */
const patience = 5000
/** Characters. Tokens of hCaptcha have several thousand. */
const longestToken = 10_000
/** The most verifications of a client, so that a stranger cannot cause any number of requests to the service. */
const verifications = { perClient: 300, window: 15 * 60 }

/** Requests with a valid token. A token can be verified once, and a request may get here twice. */
const solved = new WeakMap<AuthRequest, true>()

/** Checks whether this request needed a captcha and had a valid token. The next attempt will need one as well. */
export function hasSolved(request: AuthRequest): boolean {
  return solved.has(request)
}

/**
 * Lets an attempt pass, or requires a captcha.
 *
 * @returns The counts. Refund them if the attempt was no failure.
 * @throws {@link CaptchaRequired} if a captcha is needed and there is no valid token. {@link CaptchaUnavailable} if
 *   that cannot be determined. {@link AdapterError} if the store of counts fails.
 */
export async function passCaptcha(
  context: AuthContext,
  attempt: Attempt & { readonly rule: CaptchaContext['rule'] },
): Promise<Taken> {
  const captcha = context.config.rateLimit?.captcha
  if (!captcha || solved.has(context.request)) return nothing
  const told = toContext(context, attempt.rule, context.request.providerId ?? '')
  if (captcha.required) {
    if (!(await isRequired(captcha.required, told))) return nothing
  } else {
    const { after, window } = captcha
    const taken = await tryTake(
      context,
      { ...attempt, scope: 'captcha' },
      { perAccount: after, perClient: after, window },
    )
    if (taken) return taken
  }
  await verify(context, captcha, told)
  solved.set(context.request, true)
  return nothing
}

/**
 * Checks whether a page shows the captcha before the first attempt, because `required` wants one. If that cannot be
 * determined, it is shown, and the attempt reports the error.
 */
export async function isCaptchaExpected(
  context: AuthContext,
  { rule, provider }: Pick<CaptchaContext, 'rule' | 'provider'>,
): Promise<boolean> {
  const { required } = context.config.rateLimit?.captcha ?? {}
  if (!required) return false
  return isRequired(required, toContext(context, rule, provider)).catch(() => true)
}

const nothing: Taken = { refund() {} }

async function isRequired(required: NonNullable<ResolvedCaptcha['required']>, told: CaptchaContext): Promise<boolean> {
  const answer = await ask('required', () => required(told))
  if (typeof answer === 'boolean') return answer
  throw new CaptchaUnavailable('`rateLimit.captcha.required` returned no boolean.')
}

async function verify(context: AuthContext, captcha: ResolvedCaptcha, told: CaptchaContext): Promise<void> {
  const token = tokenOf(context.request, captcha)
  if (token === undefined) throw new CaptchaRequired('The attempt needs a captcha.', captcha.siteKey)
  await take(context, { rule: told.rule, scope: 'captcha tokens' }, verifications)
  if ((await ask('verify', () => captcha.verify(token, told), token)) === true) return
  throw new CaptchaRequired('The captcha was not accepted.', captcha.siteKey)
}

function tokenOf({ headers, body }: AuthRequest, { field }: ResolvedCaptcha): string | undefined {
  const token = header(headers, 'x-captcha-token') ?? (Object.hasOwn(body, field) ? body[field] : undefined)
  return typeof token === 'string' && token !== '' && token.length <= longestToken ? token : undefined
}

function toContext({ request, urls }: AuthContext, rule: CaptchaContext['rule'], provider: string): CaptchaContext {
  return { rule, provider, host: urls.host, request: requestInfo(request) }
}

/**
 * Calls a function of the developer, with a time-out. @param token Removed from the error, whose message may repeat it.
 */
async function ask(name: 'required' | 'verify', work: () => Awaitable<unknown>, token?: string): Promise<unknown> {
  const what = `\`rateLimit.captcha.${name}\``
  try {
    return await withTimeout(Promise.resolve(work()), patience, what)
  } catch (thrown) {
    throw new CaptchaUnavailable(`${what} failed.`, { err: toFault(thrown, token === undefined ? [] : [token]) })
  }
}
