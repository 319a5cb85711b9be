/** The package that computes Argon2: optional, native, and loaded when the first password is hashed. */
import { InvalidConfiguration } from '../../../errors.js'

export type Argon2Package = Pick<typeof import('@node-rs/argon2'), 'hash' | 'verify'>

const howToInstall = 'Install it with `npm install @node-rs/argon2`.'

/** The package; `undefined` where it is not installed. @throws {@link InvalidConfiguration} for one that is there and broken. */
export async function findArgon2(): Promise<Argon2Package | undefined> {
  // Within `try`, bundlers take it that the package may be missing.
  try {
    return await import('@node-rs/argon2')
  } catch (cause) {
    if (isMissing(cause)) return undefined
    const err = cause instanceof Error ? cause : undefined
    const what = 'The package @node-rs/argon2 is installed and could not be loaded'
    throw new InvalidConfiguration(`${what}. Was it installed on another kind of machine? ${howToInstall}`, err)
  }
}

/** The package, for what cannot be done without it. @param what Begins the message. @throws {@link InvalidConfiguration} */
export async function needArgon2(what: string): Promise<Argon2Package> {
  const found = await findArgon2()
  if (!found) throw new InvalidConfiguration(`${what} needs the package @node-rs/argon2. ${howToInstall}`)
  return found
}

/** That the package itself is not there, and not one of its own parts. Only the first line says what was looked for. */
function isMissing(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false
  const [looked = ''] = thrown.message.split('\n')
  return /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(thrown.code)) && /@node-rs\/argon2['"]/.test(looked)
}
