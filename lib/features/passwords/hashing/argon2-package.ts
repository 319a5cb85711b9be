/** The package that computes Argon2. It is optional and native, and loaded when the first password is hashed. */
import { isCloudflareWorkers, isMissingPackage } from '../../../base/runtime.js'
import { InvalidConfiguration } from '../../../errors.js'
import { assertNativePackages } from './native-package.js'

export type Argon2Package = Pick<typeof import('@node-rs/argon2'), 'hash' | 'verify'>

const howToInstall = 'Install it with `npm install @node-rs/argon2`.'

/**
 * Loads the package; `undefined` if it is not installed. @throws {@link InvalidConfiguration} if it is installed but
 * broken.
 */
export async function findArgon2(): Promise<Argon2Package | undefined> {
  // Bundles for Workers contain an empty module: see `browser` of package.json.
  if (isCloudflareWorkers()) return undefined
  // Inside `try`, bundlers accept that the package may be missing.
  try {
    return await import('@node-rs/argon2')
  } catch (cause) {
    if (isMissingPackage(cause, '@node-rs/argon2')) return undefined
    const err = cause instanceof Error ? cause : undefined
    const what = 'The package @node-rs/argon2 is installed and could not be loaded'
    throw new InvalidConfiguration(`${what}. Was it installed on another kind of machine? ${howToInstall}`, err)
  }
}

/**
 * Loads the package. @param what The beginning of the error message. @throws {@link InvalidConfiguration} if it is
 * missing.
 */
export async function requireArgon2(what: string): Promise<Argon2Package> {
  const found = await findArgon2()
  if (found) return found
  assertNativePackages(what)
  throw new InvalidConfiguration(`${what} needs the package @node-rs/argon2. ${howToInstall}`)
}
