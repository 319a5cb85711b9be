/** Captcha services, for `rateLimit.captcha`. Each verification is one POST to the service. */
import type { CaptchaOptions } from './captcha-types.js'

/** The keys and options of a captcha service. */
export interface CaptchaKeys extends Pick<CaptchaOptions, 'after' | 'window' | 'required'> {
  /** The public key of the widget. */
  siteKey: string
  /** The secret key. */
  secretKey: string
  /** The host on which the service must have seen the widget. Default: not compared. */
  hostname?: string
  /** The URL that verifies tokens, for tests. */
  endpoint?: string
}

/** {@link CaptchaKeys}, and the action that Turnstile returns. */
export interface TurnstileKeys extends CaptchaKeys {
  /** The `data-action` of the widget on your custom page. Default: not compared. */
  action?: string
}

/** Milliseconds, for the whole response. */
const serviceTimeout = 5000
/** Bytes of a response. */
const longestAnswer = 64 * 1024

/**
 * Returns the options of Cloudflare Turnstile.
 *
 * @throws {TypeError} for keys that are no text, and an endpoint that is no URL.
 * @example
 * ```ts
 * rateLimit: { captcha: turnstile({ siteKey, secretKey: process.env.TURNSTILE_SECRET }) }
 * ```
 */
export function turnstile({ action, ...keys }: TurnstileKeys): CaptchaOptions {
  const endpoint = checkedEndpoint('turnstile', keys, 'https://challenges.cloudflare.com/turnstile/v0/siteverify')
  return {
    ...commonSettings(keys),
    field: 'cf-turnstile-response',
    className: 'cf-turnstile',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    origins: ['https://challenges.cloudflare.com'],
    async verify(response) {
      const answer = await postToService(endpoint, new URLSearchParams({ secret: keys.secretKey, response }))
      if (answer.success !== true) return rejectToken(answer)
      return equalsExpected(answer.hostname, keys.hostname) && equalsExpected(answer.action, action)
    },
  }
}

/** Returns the options of hCaptcha. @throws {TypeError} as {@link turnstile} does. */
export function hcaptcha(keys: CaptchaKeys): CaptchaOptions {
  const endpoint = checkedEndpoint('hcaptcha', keys, 'https://api.hcaptcha.com/siteverify')
  return {
    ...commonSettings(keys),
    field: 'h-captcha-response',
    className: 'h-captcha',
    script: 'https://js.hcaptcha.com/1/api.js',
    origins: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    async verify(response) {
      const { siteKey: sitekey, secretKey: secret } = keys
      const answer = await postToService(endpoint, new URLSearchParams({ secret, response, sitekey }))
      return answer.success === true ? equalsExpected(answer.hostname, keys.hostname) : rejectToken(answer)
    },
  }
}

/**
 * Returns the options of Friendly Captcha, version 2. Its widget is an npm package: set `script` to the URL of your
 * copy.
 *
 * @throws {TypeError} as {@link turnstile} does.
 */
export function friendly({
  script,
  ...keys
}: CaptchaKeys & {
  /** The URL of the widget's script on your own site. Default: the built-in sign-in page shows no widget. */
  script?: string
}): CaptchaOptions {
  const endpoint = checkedEndpoint('friendly', keys, 'https://global.frcapi.com/api/v2/captcha/siteverify')
  return {
    ...commonSettings(keys),
    field: 'frc-captcha-response',
    className: 'frc-captcha',
    ...(script !== undefined && { script }),
    origins: ['https://*.frcapi.com'],
    async verify(response) {
      const body = JSON.stringify({ response, sitekey: keys.siteKey })
      const headers = { 'content-type': 'application/json', 'x-api-key': keys.secretKey }
      const answer = await postToService(endpoint, body, headers)
      if (answer.success !== true) return rejectToken(answer)
      return equalsExpected(hostOfOrigin(toFields(toFields(answer.data).challenge).origin), keys.hostname)
    },
  }
}

function commonSettings({ siteKey, after, window, required }: CaptchaKeys) {
  return {
    siteKey,
    ...(after !== undefined && { after }),
    ...(window !== undefined && { window }),
    ...(required && { required }),
  }
}

function checkedEndpoint(name: string, { siteKey, secretKey, endpoint }: CaptchaKeys, usual: string): string {
  for (const key of [siteKey, secretKey]) {
    if (typeof key !== 'string' || key === '')
      throw new TypeError(`${name}: pass { siteKey, secretKey }, both as text.`)
    // A key that was read from a file may end with a line break. The error of an invalid header would repeat the key.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new TypeError(`${name}: keys contain ASCII letters, digits and signs only, without spaces and line breaks.`)
    }
  }
  const used = endpoint ?? usual
  if (!URL.canParse(used)) throw new TypeError(`${name}: \`endpoint\` must be an absolute URL.`)
  return used
}

/** Returns the host of an origin, or the value itself. Friendly Captcha documents both, a host and an origin. */
function hostOfOrigin(origin: unknown): unknown {
  return typeof origin === 'string' && /^https?:/.test(origin) && URL.canParse(origin)
    ? new URL(origin).hostname
    : origin
}

function equalsExpected(captchaContext: unknown, expected: string | undefined): boolean {
  return expected === undefined || captchaContext === expected
}

/**
 * Returns `false` for a token that the service rejected. @throws Error for an invalid secret key, or an error of the
 * service.
 */
function rejectToken(answer: Readonly<Record<string, unknown>>): false {
  const codes = answer['error-codes']
  const isOurs = Array.isArray(codes) && codes.some((code) => /secret|internal-error|bad-request/.test(String(code)))
  if (answer.success !== false || isOurs) throw new Error('The captcha service did not verify a token.')
  return false
}

async function postToService(
  endpoint: string,
  body: string | URLSearchParams,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  // A redirect could send the secret key to another host.
  const signal = AbortSignal.timeout(serviceTimeout)
  const response = await fetch(endpoint, { method: 'POST', body, headers, redirect: 'error', signal })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The captcha service answered ${response.status}.`)
  }
  return toFields(parseServiceJson(await readServiceText(response)))
}

/** Parses JSON without the text in the error, because the text may repeat the secret key. */
function parseServiceJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The captcha service answered no JSON.')
  }
}

async function readServiceText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, length] = ['', 0]
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestAnswer) throw new Error('The answer of the captcha service is too long.')
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
