/** Captcha services, for `rateLimit.captcha`. Each verification is one POST to the service. */
import type { CaptchaOptions } from './captcha-types.js'

/** Keys, and what else is compared. */
export interface CaptchaKeys extends Pick<CaptchaOptions, 'after' | 'window' | 'required'> {
  /** The public key of the widget. */
  siteKey: string
  /** The key that only the server knows. */
  secretKey: string
  /** The host that the service must have seen the widget on. Default: it is not compared. */
  hostname?: string
  /** Where tokens are verified. For tests. */
  endpoint?: string
}

/** {@link CaptchaKeys}, and the action that Turnstile tells. */
export interface TurnstileKeys extends CaptchaKeys {
  /** What the widget of your own page has as `data-action`. Default: it is not compared. */
  action?: string
}

/** Milliseconds, for the whole answer. */
const patience = 5000
/** Bytes of an answer. */
const longestAnswer = 64 * 1024

/**
 * Cloudflare Turnstile.
 *
 * @throws {TypeError} for keys that are no text, and an endpoint that is no URL.
 * @example
 * ```ts
 * rateLimit: { captcha: turnstile({ siteKey, secretKey: process.env.TURNSTILE_SECRET }) }
 * ```
 */
export function turnstile({ action, ...keys }: TurnstileKeys): CaptchaOptions {
  const endpoint = endpointOf('turnstile', keys, 'https://challenges.cloudflare.com/turnstile/v0/siteverify')
  return {
    ...settingsOf(keys),
    field: 'cf-turnstile-response',
    className: 'cf-turnstile',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    origins: ['https://challenges.cloudflare.com'],
    async verify(response) {
      const answer = await post(endpoint, new URLSearchParams({ secret: keys.secretKey, response }))
      if (answer.success !== true) return refusal(answer)
      return matches(answer.hostname, keys.hostname) && matches(answer.action, action)
    },
  }
}

/** hCaptcha. @throws {TypeError} as {@link turnstile} does. */
export function hcaptcha(keys: CaptchaKeys): CaptchaOptions {
  const endpoint = endpointOf('hcaptcha', keys, 'https://api.hcaptcha.com/siteverify')
  return {
    ...settingsOf(keys),
    field: 'h-captcha-response',
    className: 'h-captcha',
    script: 'https://js.hcaptcha.com/1/api.js',
    origins: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    async verify(response) {
      const { siteKey: sitekey, secretKey: secret } = keys
      const answer = await post(endpoint, new URLSearchParams({ secret, response, sitekey }))
      return answer.success === true ? matches(answer.hostname, keys.hostname) : refusal(answer)
    },
  }
}

/**
 * Friendly Captcha, version 2. Its widget is an npm package: name the address of your copy as `script`.
 *
 * @throws {TypeError} as {@link turnstile} does.
 */
export function friendly({
  script,
  ...keys
}: CaptchaKeys & {
  /** URL of the widget's script on your own site. Default: the built-in sign-in page shows no widget. */
  script?: string
}): CaptchaOptions {
  const endpoint = endpointOf('friendly', keys, 'https://global.frcapi.com/api/v2/captcha/siteverify')
  return {
    ...settingsOf(keys),
    field: 'frc-captcha-response',
    className: 'frc-captcha',
    ...(script !== undefined && { script }),
    origins: ['https://*.frcapi.com'],
    async verify(response) {
      const body = JSON.stringify({ response, sitekey: keys.siteKey })
      const headers = { 'content-type': 'application/json', 'x-api-key': keys.secretKey }
      const answer = await post(endpoint, body, headers)
      if (answer.success !== true) return refusal(answer)
      return matches(hostOf(fieldsOf(fieldsOf(answer.data).challenge).origin), keys.hostname)
    },
  }
}

function settingsOf({ siteKey, after, window, required }: CaptchaKeys) {
  return {
    siteKey,
    ...(after !== undefined && { after }),
    ...(window !== undefined && { window }),
    ...(required && { required }),
  }
}

function endpointOf(name: string, { siteKey, secretKey, endpoint }: CaptchaKeys, usual: string): string {
  for (const key of [siteKey, secretKey]) {
    if (typeof key !== 'string' || key === '')
      throw new TypeError(`${name}: pass { siteKey, secretKey }, both as text.`)
    // One that was read out of a file may have a line's end. Errors of headers would repeat it.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new TypeError(`${name}: keys are letters, digits and signs of ASCII, without spaces and line ends.`)
    }
  }
  const used = endpoint ?? usual
  if (!URL.canParse(used)) throw new TypeError(`${name}: \`endpoint\` must be an absolute URL.`)
  return used
}

/** Its documentation has both, a host and an origin. */
function hostOf(origin: unknown): unknown {
  return typeof origin === 'string' && /^https?:/.test(origin) && URL.canParse(origin)
    ? new URL(origin).hostname
    : origin
}

function matches(told: unknown, expected: string | undefined): boolean {
  return expected === undefined || told === expected
}

/** The visitor's fault is a refusal. A wrong key of ours, or a fault of theirs, is none. */
function refusal(answer: Readonly<Record<string, unknown>>): false {
  const codes = answer['error-codes']
  const isOurs = Array.isArray(codes) && codes.some((code) => /secret|internal-error|bad-request/.test(String(code)))
  if (answer.success !== false || isOurs) throw new Error('The captcha service did not verify a token.')
  return false
}

async function post(
  endpoint: string,
  body: string | URLSearchParams,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  // A redirect could take the secret key to another host.
  const signal = AbortSignal.timeout(patience)
  const response = await fetch(endpoint, { method: 'POST', body, headers, redirect: 'error', signal })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The captcha service answered ${response.status}.`)
  }
  return fieldsOf(parsed(await textOf(response)))
}

/** The message of `JSON.parse` repeats the text, which may echo the secret key. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The captcha service answered no JSON.')
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, length] = ['', 0]
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestAnswer) throw new Error('The answer of the captcha service is too long.')
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
