/** Passage by 1Password — https://github.com/passageidentity · shut down by 1Password. */

/**
 * Throws, because 1Password shut down Passage on 2026-01-16.
 *
 * Reference: https://github.com/passageidentity
 *
 * @throws Error always.
 */
export default function Passage(_options: object = {}): never {
  throw new Error('Passage: 1Password shut this service down on 2026-01-16. Remove it from `providers`.')
}
