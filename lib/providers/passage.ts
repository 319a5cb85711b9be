/** Passage by 1Password — https://github.com/passageidentity · shut down by 1Password. */

/**
 * Signed in with Passage. 1Password shut it down on 2026-01-16: there is nobody left to sign in with.
 *
 * Reference: https://github.com/passageidentity
 *
 * @throws Error always.
 */
export default function Passage(_options: object = {}): never {
  throw new Error('Passage: 1Password shut this service down on 2026-01-16. Remove it from `providers`.')
}
