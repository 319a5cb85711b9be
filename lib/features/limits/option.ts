/** The option `rateLimit`: which attempts are counted, and where. */
import { definedOnly, isRecord } from '../../base/guards.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import {
  assertUrl,
  type Check,
  functionOf,
  listOf,
  nonEmptyText,
  oneOf,
  optional,
  required,
  seconds,
  shape,
  wholeNumber,
} from '../../config/shape.js'
import { defaultMailLimit } from '../../config/site.js'
import type { RateLimits, ResolvedCaptcha, ResolvedEmailProvider } from '../../contracts/index.js'
import { memoryCounterOf } from '../../store/memory-counter.js'
import { guardLimits } from './attempts.js'
import type { CaptchaOptions } from './captcha-types.js'
import type { Rule, RuleName } from './types.js'

type MailLimit = NonNullable<ResolvedEmailProvider['limit']>

/** Seconds. */
const quarter = 15 * 60
const hour = 60 * 60

/**
 * The default rules in production. Many users may share an address, so attempts that are no guesses have limits that
 * only scripts reach.
 */
const defaultRules: Readonly<Record<Exclude<RuleName, 'mail'>, Rule>> = {
  credentials: { perAccount: 5, perClient: 100, window: hour, delay: 'exponential' },
  mailToken: { perClient: 100, window: quarter },
  factor: { perAccount: 5, perClient: 100, window: hour, delay: 'exponential' },
  passkeyOptions: { perClient: 1000, window: quarter },
  passkey: { perClient: 100, window: quarter },
  signUp: { perClient: 50, window: hour },
  reset: { perAccount: 10, perClient: 50, window: hour },
  oauthStart: { perClient: 300, window: quarter },
  oauthCallback: { perClient: 300, window: quarter },
  appToken: { perClient: 300, window: quarter },
  logoutToken: { perClient: 300, window: quarter },
  apiKey: { perClient: 100, window: quarter },
  invitation: { perAccount: 20, window: 24 * hour },
  inviter: { perAccount: 50, window: 24 * hour },
}

/** Rules whose attempts name an account. */
const withAccounts: ReadonlySet<RuleName> = new Set<RuleName>([
  'credentials',
  'factor',
  'mail',
  'mailToken',
  'reset',
  'invitation',
  'inviter',
])

/** The highest limit. A store may keep a time for each attempt. */
const highest = 2000

const amount = wholeNumber('', 1, highest)

const ruleShape = shape({
  perAccount: amount,
  perClient: amount,
  perClientAndAccount: amount,
  window: required<number>(
    (value) => typeof value === 'number' && value >= 1 && value <= 366 * 24 * hour,
    'must be a number of seconds, at least 1, not {kind}. A quarter of an hour is 15 * 60.',
  ),
  delay: oneOf('exponential'),
})

/** Checks a rule; `false` turns it off. */
function checkRule(rule: RuleName): Check<Rule | false | undefined> {
  return (name, value) => {
    if (value === undefined || value === false) return value
    const read = ruleShape(name, value)
    const { perAccount, perClient, perClientAndAccount } = read
    if (perAccount === undefined && perClient === undefined && perClientAndAccount === undefined) {
      rejectOption(name, 'needs `perAccount`, `perClient` or `perClientAndAccount`; `false` counts nothing.')
    }
    if (!withAccounts.has(rule) && (perAccount !== undefined || perClientAndAccount !== undefined || read.delay)) {
      rejectOption(name, 'can have `perClient` and `window` only: such an attempt names no account.')
    }
    // An email that was sent is no failure, so its limit does not grow.
    if (rule === 'mail' && (perClientAndAccount !== undefined || read.delay)) {
      rejectOption(name, 'can have `perAccount`, `perClient` and `window` only.')
    }
    return read as Rule
  }
}

const ruleNames = [...Object.keys(defaultRules), 'mail'] as RuleName[]

const rulesShape = shape(Object.fromEntries(ruleNames.map((name) => [name, checkRule(name)])))

/** Names of fields that the form already has. */
const takenFields: ReadonlySet<string> = new Set(['csrfToken', 'callbackUrl', 'navigation', 'remember', '__proto__'])

/** A source that is safe in a Content-Security-Policy: scheme and host, no space, no `;` (CSP3 §2.3.1). */
const source = /^https?:\/\/(?:\*\.)?[\w.-]+(?::\d+)?$/

const captchaShape = shape({
  verify: required<CaptchaOptions['verify']>(
    (value) => typeof value === 'function',
    'must be a function, not {kind}: `turnstile()`, `hcaptcha()` and `friendly()` of server-auth/rate-limit bring one.',
  ),
  required: functionOf<NonNullable<CaptchaOptions['required']>>(),
  after: wholeNumber('', 1, 100),
  window: seconds(1),
  field: optional<string>(
    (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value) && !takenFields.has(value),
    'must be the name of a form field (letters, digits, `-`, `_`) that the form does not have itself.',
  ),
  siteKey: nonEmptyText,
  script: nonEmptyText,
  className: optional<string>(
    (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
    'must be one class, such as "cf-turnstile".',
  ),
  origins: listOf(
    (each) => typeof each === 'string' && source.test(each),
    'must be a list of origins such as ["https://challenges.example.com"].',
  ),
})

/** Checks the option; `undefined` if it is not set. */
const captchaSetting: Check<ResolvedCaptcha | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (!isRecord(value)) return rejectOption(name, 'must be an object, such as `turnstile({ siteKey, secretKey })`.')
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

const optionsShape = shape({
  store: storeOption('counter'),
  rules: (name: string, value: unknown) => rulesShape(name, value) as Partial<Record<RuleName, Rule | false>>,
  onOutage: oneOf('allow', 'deny'),
  captcha: captchaSetting,
})

/** The options as set, checked as far as possible without the adapter. */
type LimitSetting = false | ReturnType<typeof optionsShape>

/** `false`, or options. */
const limitSetting: Check<LimitSetting | undefined> = (name, value) => {
  if (value === undefined || value === false) return value
  if (!isRecord(value)) {
    return rejectOption(
      name,
      `must be false, or { store, rules, onOutage, captcha }, not ${describeValue(value)}. \`{}\` are the built-in rules.`,
    )
  }
  return optionsShape(name, value)
}

/** Resolves the option; `undefined` where only mails are counted. */
function resolveLimits(
  setting: LimitSetting | undefined,
  { adapter, production, timeout, logger, memory }: OptionSurroundings,
): RateLimits | undefined {
  const options: LimitSetting = setting ?? (production ? optionsShape('rateLimit', {}) : false)
  if (options === false) return undefined
  const { mail: _ofProviders, ...others } = { ...defaultRules, ...definedOnly(options.rules ?? {}) }
  const active = Object.entries(others).filter((entry): entry is [string, Rule] => entry[1] !== false)
  const store = options.store && requiredContract('rateLimit.store', 'counter', { store: options.store, adapter })
  const substitute = options.onOutage === 'allow' ? memoryCounterOf(memory) : undefined
  return Object.freeze(
    definedOnly<RateLimits>({
      store: store && guardLimits(store, definedOnly({ timeout, logger, substitute })),
      rules: Object.freeze(Object.fromEntries(active)),
      captcha: options.captcha,
    }),
  )
}

/** The option `rateLimit`. */
export const rateLimitOption: FeatureOption<LimitSetting, RateLimits> = { check: limitSetting, resolve: resolveLimits }

/** The number of emails that providers without a limit of their own may send; `undefined` for any number. */
export function mailLimitOf(setting: LimitSetting | undefined): MailLimit | undefined {
  const rule = setting ? setting.rules?.mail : undefined
  if (rule === false) return undefined
  if (!rule) return defaultMailLimit
  const { perAccount = highest, perClient = highest, window } = rule
  return Object.freeze({ perAddress: perAccount, perClient, window })
}
