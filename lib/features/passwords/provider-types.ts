/** The provider `Password`, and what it tells. */
import type { AdapterUser } from '../../types/adapter.js'
import type { CredentialsConfig, EmailConfig } from '../../types/provider.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { PasswordOptions } from './types.js'

/** The options of `Password`. Its custom pages are in the option `pages` of the configuration. */
export interface PasswordSettings extends PasswordOptions {
  /**
   * What sends the mails: `Nodemailer({ … })`, `Resend({ … })`. Nobody signs in by it. Default: the first e-mail provider of the
   * configuration.
   */
  mail?: EmailConfig
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
