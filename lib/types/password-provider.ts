/** The provider `Password`, and what it tells. */
import type { AdapterUser } from './adapter.js'
import type { PasswordOptions } from './passwords.js'
import type { CredentialsConfig, EmailConfig } from './provider.js'
import type { RequestInfo } from './request-info.js'

/** What `Password` does, how it mails, and pages of yours. */
export interface PasswordSettings extends PasswordOptions {
  /**
   * What sends the mails: `Nodemailer({ … })`, `Resend({ … })`. Nobody signs in by it. Default: the first e-mail provider of the
   * configuration.
   */
  mail?: EmailConfig
  /** Paths of pages of yours in the place of the built-in ones. */
  pages?: PasswordPages
}

/**
 * Paths of pages with forms of yours, which post to our routes with the field `csrfToken`. Where what was typed is refused, they get
 * `?error=<type>`, and `code=<reason>` for a password that is not taken.
 */
export interface PasswordPages {
  /** For who is new. The form posts `email` and `password` to `<mount>/signup/<id>`. */
  signUp?: string
  /** For who has forgotten the password. The form posts `email` to `<mount>/password/forgot`. */
  forgot?: string
  /**
   * Behind the mailed link, which is not in its URL. The form posts `password` to `<mount>/password/reset`, and the parameter `link` of
   * the page in the field `link`. `GET <mount>/password/reset` with `Accept: application/json` returns `{ email, link }`.
   */
  reset?: string
  /** For who is signed in. The form posts `current` and `password` to `<mount>/password/change`. */
  change?: string
}

/** The provider `Password`: on the wire as `Credentials`; what is typed is checked by the library itself. */
export interface PasswordConfig extends CredentialsConfig {
  /** What it does. */
  password: PasswordSettings
}

/** What the `passwordChanged` event gets. Of the password it says nothing. */
export interface PasswordChangedMessage {
  /** Whose it is. */
  user: AdapterUser
  /**
   * How it was set: with a new account (`signUp`), behind a mailed link (`reset`), by who is signed in (`change`), by your own code
   * (`set`).
   */
  reason: 'signUp' | 'reset' | 'change' | 'set'
  /** The session in which it was done. Absent where there was none. */
  sid?: string
  /** Address and browser of the request. Absent where it was done without one. */
  request?: RequestInfo
}
