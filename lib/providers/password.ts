/**
 * Password: email address and password, stored by the library. No callback URL: the form posts to
 * `<origin>/auth/callback/password`.
 */
import type { PasswordConfig, PasswordSettings } from '../features/passwords/provider-types.js'

/** The options: settings, and another `id` or `name`. */
export type PasswordProviderOptions = PasswordSettings & {
  /** Default `password`. Part of URLs, and of the stored data of each user. */
  id?: string
  /** Default `Password`. */
  name?: string
}

/**
 * Signs users in with email address and password, which they choose at `<origin>/auth/signup/password`. They verify the
 * address with an email link before the account is created.
 *
 * No variables of the environment. Needs an `adapter` that stores passwords, and an email provider.
 * https://pages.nist.gov/800-63-4/sp800-63b.html
 *
 * @example
 * ```ts
 * Password({ mail: Nodemailer({ server: 'smtp://localhost:25', from: 'Example <hello@example.com>' }) })
 * ```
 */
export default function Password(options: PasswordProviderOptions = {}): PasswordConfig {
  const { id = 'password', name = 'Password', ...password } = options
  return { id, name, type: 'credentials', credentials: { ...inputs }, password, authorize: () => null }
}

const inputs = {
  email: { type: 'email', autocomplete: 'username', maxlength: 254 },
  password: { type: 'password', autocomplete: 'current-password' },
}
