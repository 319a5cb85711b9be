/** The options of captchas: which attempts need one, and how an answer is verified. */
import type { Awaitable } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'

/** The attempt that may need a captcha. */
export interface CaptchaContext {
  /**
   * `credentials`: a name and a password are about to be checked. `mail`: a sign-in email is requested. `signUp`: a
   * user of a credentials provider is about to be stored.
   */
  readonly rule: 'credentials' | 'mail' | 'signUp'
  /** The provider's id. */
  readonly provider: string
  /** The host of the site, such as `app.example`, with its port if it has one. */
  readonly host: string
  /** The address and browser of the request. */
  readonly request: RequestInfo
}

/** The option `rateLimit.captcha`. Made by `turnstile()`, `hcaptcha()` and `friendly()` of `server-auth/rate-limit`. */
export interface CaptchaOptions {
  /**
   * Verifies the token of the widget. Any value but `true` rejects the attempt. If it throws or takes longer than 5
   * seconds, the response is 503 and nothing is counted. Tokens must be valid once; the services ensure that.
   */
  verify(token: string, context: CaptchaContext): Awaitable<boolean>
  /**
   * Returns whether an attempt needs a captcha, instead of counting failures. Also called for the sign-in page, which
   * then shows the widget from the start. If it throws or returns no boolean, the response is 503.
   */
  required?(context: CaptchaContext): Awaitable<boolean>
  /**
   * Failures of an account or a client after which a captcha is required, 1 to 100. For emails and new users: attempts
   * of a client. Default 3.
   */
  after?: number
  /** Seconds in which failures are counted. Default one hour. */
  window?: number
  /** The form field with the token. Default `captcha`. The header `x-captcha-token` takes precedence. */
  field?: string
  /** The public key of the widget. JSON responses contain it. */
  siteKey?: string
  /** The URL of the widget's script. Without it the built-in sign-in page shows no widget. */
  script?: string
  /** The class of the element that the script fills. */
  className?: string
  /**
   * The Content-Security-Policy sources of the widget, such as `https://*.example.com`. Default: the script's origin.
   */
  origins?: readonly string[]
}
