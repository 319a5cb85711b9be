/** The package that computes bcrypt. It is optional and native, and loaded when it is first needed. */
import { InvalidConfiguration } from '../../../errors.js'

/** Loads the package. @throws {@link InvalidConfiguration} if it is missing or broken. */
export async function requireBcrypt(): Promise<Pick<typeof import('@node-rs/bcrypt'), 'verify'>> {
  // Inside `try`, bundlers accept that the package may be missing.
  try {
    return await import('@node-rs/bcrypt')
  } catch (cause) {
    const err = cause instanceof Error ? cause : undefined
    const how = 'Install it with `npm install @node-rs/bcrypt`.'
    throw new InvalidConfiguration(`Hashes of bcrypt need the package @node-rs/bcrypt. ${how}`, err)
  }
}
