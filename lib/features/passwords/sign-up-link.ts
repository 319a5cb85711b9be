/** The link of a sign-up. Its record contains the pending password. */
import { isRecord } from '../../base/guards.js'
import { parseJson } from '../../base/json.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { randomText } from '../../crypto/random.js'
import { Verification } from '../../errors.js'
import { checkLink, createLink, linkRecords } from '../../links/index.js'

/** A pending password, as it is stored. */
export interface PendingPassword {
  readonly hash: string
  /** The browser in which it was typed. */
  readonly browser: string
  readonly callbackUrl: string
}

/** Creates a link. @param lifetime Seconds. */
export async function createSignUpLink(
  context: AuthContext,
  provider: PasswordProvider,
  { email, lifetime, pending }: { email: string; lifetime: number; pending: PendingPassword },
) {
  const token = randomText(32)
  const place = linkRecords(provider.password.store.links, { identifier: email, data: JSON.stringify(pending) })
  const hashes = signUpLinkHashes(context, provider, token)
  const [hash = ''] = hashes
  return { token, hash, ...(await createLink({ hashes, place }, lifetime)) }
}

/** Opens a link, and changes nothing. @throws {@link Verification} for a link that has expired, was used, or was never sent. */
export function openSignUpLink(context: AuthContext, provider: PasswordProvider, token: string) {
  return openStoredSignUp(provider, signUpLinkHashes(context, provider, token))
}

/** Opens a sign-up by the hashes under which its link is stored. @throws {@link Verification} as {@link openSignUpLink} does. */
export async function openStoredSignUp(provider: PasswordProvider, hashes: readonly string[]) {
  const link = { hashes, place: linkRecords(provider.password.store.links) }
  const { identifier: email, data } = await checkLink(link)
  const pending = parseJson(data)
  if (!isPending(pending)) throw new Verification('The link is not a sign-up link.')
  return { email, pending, link }
}

function signUpLinkHashes({ config }: AuthContext, { id }: PasswordProvider, token: string): string[] {
  return keyedHashes(config, 'password attempt', [id, token])
}

function isPending(value: unknown): value is PendingPassword {
  return isRecord(value) && ['hash', 'browser', 'callbackUrl'].every((name) => typeof value[name] === 'string')
}
