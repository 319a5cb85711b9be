/** The option `rateLimit.captcha`. */
import { isRecord } from '../base/guards.js'
import type { ResolvedCaptcha } from '../contracts/index.js'
import type { CaptchaOptions } from '../types/captcha.js'
import { refuse } from './refusal.js'
import { assertUrl, type Check, functionOf, optional, required, seconds, shape, text } from './shape.js'

/** Names that the form has for itself. */
const taken: ReadonlySet<string> = new Set(['csrfToken', 'callbackUrl', 'navigation', 'remember', '__proto__'])

/** What may stand in a Content-Security-Policy as it is: scheme and host, no space, no `;` (CSP3 §2.3.1). */
const source = /^https?:\/\/(?:\*\.)?[\w.-]+(?::\d+)?$/

const captchaShape = shape({
  verify: required<CaptchaOptions['verify']>(
    (value) => typeof value === 'function',
    'must be a function, not {kind}: `turnstile()`, `hcaptcha()` and `friendly()` of server-auth/rate-limit bring one.',
  ),
  required: functionOf<NonNullable<CaptchaOptions['required']>>(),
  after: optional<number>(
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100,
    'must be a whole number from 1 to 100, not {kind}.',
  ),
  window: seconds(1),
  field: optional<string>(
    (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value) && !taken.has(value),
    'must be the name of a form field (letters, digits, `-`, `_`) that the form does not have itself.',
  ),
  siteKey: text,
  script: text,
  className: optional<string>(
    (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
    'must be one class, such as "cf-turnstile".',
  ),
  origins: optional<readonly string[]>(
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'string' && source.test(each)),
    'must be a list of origins such as ["https://challenges.example.com"].',
  ),
})

/** Checks the option; `undefined` where it is not set. */
export const captchaSetting: Check<ResolvedCaptcha | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (!isRecord(value)) return refuse(name, 'must be an object, such as `turnstile({ siteKey, secretKey })`.')
  const read = captchaShape(name, value)
  const script = read.script === undefined ? undefined : assertUrl(`${name}.script`, read.script)
  return Object.freeze({
    ...read,
    after: read.after ?? 3,
    window: read.window ?? 60 * 60,
    field: read.field ?? 'captcha',
    origins: Object.freeze([...(read.origins ?? (script ? [script.origin] : []))]),
  })
}
