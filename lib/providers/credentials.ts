/**
 * Credentials: your own check of typed credentials. No callback URL: the form posts to
 * `<origin>/auth/callback/credentials`.
 */

import type { CredentialsConfig } from '../types/provider.js'
import type { CredentialInput } from '../types/provider-parts.js'

/**
 * The options: `authorize`, the `credentials` of the form, `json` for values other than text, and another `id` or
 * `name`.
 */
export type CredentialsOptions<C extends Record<string, CredentialInput>> = Pick<
  CredentialsConfig<C>,
  'credentials' | 'authorize'
> &
  Partial<Pick<CredentialsConfig<C>, 'id' | 'json' | 'name'>>

/**
 * Signs users in with typed credentials.
 *
 * No variables of the environment. https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html
 *
 * @example
 * ```ts
 * Credentials({
 *   credentials: { username: { label: 'User name' }, password: { label: 'Password', type: 'password' } },
 *   authorize: async ({ username, password }) => findUser(username, password),
 * })
 * ```
 */
export default function Credentials<const C extends Record<string, CredentialInput>>(
  options: CredentialsOptions<C>,
): CredentialsConfig<C> {
  const { id = 'credentials', name = 'Credentials', ...rest } = options
  return { ...rest, id, name, type: 'credentials' }
}
