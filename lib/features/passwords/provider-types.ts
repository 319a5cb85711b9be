/** The types of the provider `Password`, and its event. */
import type { AdapterUser } from '../../types/adapter.js'
import type { CredentialsConfig, EmailConfig } from '../../types/provider.js'
import type { RequestInfo } from '../../types/request-info.js'
import type { PasswordOptions } from './types.js'

/** The options of `Password`. Its custom pages are in the option `pages` of the configuration. */
export interface PasswordSettings extends PasswordOptions {
  /**
   * The email provider that sends the mails: `Nodemailer({ … })`, `Resend({ … })`. It is no sign-in method. Default:
   * the first email provider of the configuration.
   */
  mail?: EmailConfig
}

/** The provider `Password`. It has the wire format of `Credentials`, and the library verifies the passwords. */
export interface PasswordConfig extends CredentialsConfig {
  /** Its options. */
  password: PasswordSettings
}

/** The payload of the `passwordChanged` event. It contains nothing about the password. */
export interface PasswordChangedMessage {
  /** The owner of the password. */
  user: AdapterUser
  /**
   * The cause: a new account (`signUp`), an email link (`reset`), the signed-in user (`change`), or your own code
   * (`set`).
   */
  reason: 'signUp' | 'reset' | 'change' | 'set'
  /** The session that made the change. Absent without a session. */
  sid?: string
  /** The address and browser of the request. Absent without a request. */
  request?: RequestInfo
}
