/**
 * Captchas, before the work of an attempt. How many attempts pass without one is counted where all attempts are: those at once cannot pass
 * together, an account that nobody has is counted like any other, and a known browser has a count of its own.
 */
import { withTimeout } from '../../base/timeout.js'
import type { AuthContext, ResolvedCaptcha } from '../../contracts/index.js'
import { CaptchaRequired, CaptchaUnavailable } from '../../errors.js'
import { type AuthRequest, header, requestInfo } from '../../http/message.js'
import { toFault } from '../../store/fault.js'
import type { Awaitable } from '../../types/identity.js'
import { type Attempt, type Taken, take, tryTake } from './attempts.js'
import type { CaptchaContext } from './captcha-types.js'

/** Milliseconds that the developer's functions may take, and so the service. */
const patience = 5000
/** Characters. Tokens of hCaptcha have some thousands. */
const longestToken = 10_000
/** Verifications of a client: a stranger must not make us ask the service without end. */
const verifications = { perClient: 300, window: 15 * 60 }

/** Requests that came with a token that is good. It is good for one use, and one request may come here twice. */
const solved = new WeakMap<AuthRequest, true>()

/** Whether this request needed a captcha and brought it. The next attempt will need one as well. */
export function hasSolved(request: AuthRequest): boolean {
  return solved.has(request)
}

/**
 * Lets an attempt pass, or asks for a captcha.
 *
 * @returns What was counted. Refund it where the attempt was no failure.
 * @throws {@link CaptchaRequired} for one that needs a captcha and has none that is good. {@link CaptchaUnavailable} where that cannot be found
 * out. {@link AdapterError} when the counts cannot be had.
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
 * Whether a page with the form of a provider shows the captcha before anything was sent, since the application's own rule (`required`)
 * wants one. Where that cannot be found out it is shown: the attempt will say what is wrong.
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

/** @param token Is kept out of the error, whose message may repeat it. */
async function ask(name: 'required' | 'verify', work: () => Awaitable<unknown>, token?: string): Promise<unknown> {
  const what = `\`rateLimit.captcha.${name}\``
  try {
    return await withTimeout(Promise.resolve(work()), patience, what)
  } catch (thrown) {
    throw new CaptchaUnavailable(`${what} failed.`, { err: toFault(thrown, token === undefined ? [] : [token]) })
  }
}
