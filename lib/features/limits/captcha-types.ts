/** Captchas: who is asked, and how an answer is checked. */
import type { Awaitable } from '../../types/identity.js'
import type { RequestInfo } from '../../types/request-info.js'

/** The attempt for which a captcha may be asked. */
export interface CaptchaContext {
  /**
   * `credentials`: a name and a password are about to be checked. `mail`: a sign-in mail is asked for. `signUp`: a user of a credentials
   * provider is about to be stored.
   */
  readonly rule: 'credentials' | 'mail' | 'signUp'
  /** The provider's id. */
  readonly provider: string
  /** The host of the site, for example `app.example`, with a port where it has one. */
  readonly host: string
  /** Address and browser of the request. */
  readonly request: RequestInfo
}

/** The option `rateLimit.captcha`. `turnstile()`, `hcaptcha()` and `friendly()` of `server-auth/rate-limit` make it. */
export interface CaptchaOptions {
  /**
   * Checks what the widget gave. Anything but `true` refuses the attempt. If it throws or takes longer than 5 seconds, the attempt is answered
   * with 503, and not counted. Tokens must be good for one use: the services see to that.
   */
  verify(token: string, context: CaptchaContext): Awaitable<boolean>
  /**
   * Whether an attempt needs a captcha, in the place of counting. It is asked for the sign-in page, too, which then has the widget from the start.
   * If it throws or is no boolean, the attempt is answered with 503.
   */
  required?(context: CaptchaContext): Awaitable<boolean>
  /** Failures of an account or a client (mails and new users: attempts of a client) after which it is asked, from 1 to 100. Default 3. */
  after?: number
  /** Seconds in which they are counted. Default one hour. */
  window?: number
  /** The form's field with the token. Default `captcha`. The header `x-captcha-token` goes before it. */
  field?: string
  /** The public key of the widget. It is told in JSON answers. */
  siteKey?: string
  /** URL of the widget's script. Without it the built-in sign-in page shows no widget. */
  script?: string
  /** Class of the element that the script fills. */
  className?: string
  /** What the widget loads from: sources of a Content-Security-Policy such as `https://*.example.com`. Default: the script's origin. */
  origins?: readonly string[]
}
