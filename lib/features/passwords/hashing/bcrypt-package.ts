/** The package that computes bcrypt: optional, native, and loaded when the first password needs it. */
import { InvalidConfiguration } from '../../../errors.js'

/** @throws {@link InvalidConfiguration} where the package is missing or broken. */
export async function needBcrypt(): Promise<Pick<typeof import('@node-rs/bcrypt'), 'verify'>> {
  // Within `try`, bundlers take it that the package may be missing.
  try {
    return await import('@node-rs/bcrypt')
  } catch (cause) {
    const err = cause instanceof Error ? cause : undefined
    const how = 'Install it with `npm install @node-rs/bcrypt`.'
    throw new InvalidConfiguration(`Hashes of bcrypt need the package @node-rs/bcrypt. ${how}`, err)
  }
}
