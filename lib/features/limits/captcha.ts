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
import { toRedactedError } from '../../store/redacted-error.js'
import type { Awaitable } from '../../types/identity.js'
import { type Attempt, type CountedAttempt, consumeAttempt, tryConsumeAttempt } from './attempts.js'
import type { CaptchaContext } from './captcha-types.js'

/** Milliseconds that the developer's functions may take, including the captcha service. */
const captchaTimeout = 5000
/** Characters. Tokens of hCaptcha have several thousand. */
const longestToken = 10_000
/** The most verifications of a client, so that a stranger cannot cause any number of requests to the service. */
const verificationLimit = { perClient: 300, window: 15 * 60 }

/** Requests with a valid token. A token can be verified once, and a request may get here twice. */
const solvedRequests = new WeakMap<AuthRequest, true>()

/** Checks whether this request needed a captcha and had a valid token. The next attempt will need one as well. */
export function hasSolved(request: AuthRequest): boolean {
  return solvedRequests.has(request)
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
): Promise<CountedAttempt> {
  const captcha = context.config.rateLimit?.captcha
  if (!captcha || solvedRequests.has(context.request)) return nothingCounted
  const captchaContext = captchaContextOf(context, attempt.rule, context.request.providerId ?? '')
  if (captcha.required) {
    if (!(await callRequired(captcha.required, captchaContext))) return nothingCounted
  } else {
    const { after, window } = captcha
    const countedAttempt = await tryConsumeAttempt(
      context,
      { ...attempt, scope: 'captcha' },
      { perAccount: after, perClient: after, window },
    )
    if (countedAttempt) return countedAttempt
  }
  await verifyCaptchaToken(context, captcha, captchaContext)
  solvedRequests.set(context.request, true)
  return nothingCounted
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
  return callRequired(required, captchaContextOf(context, rule, provider)).catch(() => true)
}

const nothingCounted: CountedAttempt = { refund() {} }

async function callRequired(
  required: NonNullable<ResolvedCaptcha['required']>,
  captchaContext: CaptchaContext,
): Promise<boolean> {
  const answer = await callCaptchaFunction('required', () => required(captchaContext))
  if (typeof answer === 'boolean') return answer
  throw new CaptchaUnavailable('`rateLimit.captcha.required` returned no boolean.')
}

async function verifyCaptchaToken(
  context: AuthContext,
  captcha: ResolvedCaptcha,
  captchaContext: CaptchaContext,
): Promise<void> {
  const token = captchaTokenOf(context.request, captcha)
  if (token === undefined) throw new CaptchaRequired('The attempt needs a captcha.', captcha.siteKey)
  await consumeAttempt(context, { rule: captchaContext.rule, scope: 'captcha tokens' }, verificationLimit)
  if ((await callCaptchaFunction('verify', () => captcha.verify(token, captchaContext), token)) === true) return
  throw new CaptchaRequired('The captcha was not accepted.', captcha.siteKey)
}

function captchaTokenOf({ headers, body }: AuthRequest, { field }: ResolvedCaptcha): string | undefined {
  const token = header(headers, 'x-captcha-token') ?? (Object.hasOwn(body, field) ? body[field] : undefined)
  return typeof token === 'string' && token !== '' && token.length <= longestToken ? token : undefined
}

function captchaContextOf(
  { request, urls }: AuthContext,
  rule: CaptchaContext['rule'],
  provider: string,
): CaptchaContext {
  return { rule, provider, host: urls.host, request: requestInfo(request) }
}

/**
 * Calls a function of the developer, with a time-out. @param token Removed from the error, whose message may repeat it.
 */
async function callCaptchaFunction(
  name: 'required' | 'verify',
  work: () => Awaitable<unknown>,
  token?: string,
): Promise<unknown> {
  const what = `\`rateLimit.captcha.${name}\``
  try {
    return await withTimeout(Promise.resolve(work()), captchaTimeout, what)
  } catch (thrown) {
    throw new CaptchaUnavailable(`${what} failed.`, {
      err: toRedactedError(thrown, token === undefined ? [] : [token]),
    })
  }
}
