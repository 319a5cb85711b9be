/** A passkey as a second factor: any passkey that the user has with the provider, used in this attempt or session. */
import type { AuthContext, FactorKindOf, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { InvalidCheck, WebAuthnVerificationError } from '../../errors.js'
import { flowOf, secondFactorOptions } from '../../flows/index.js'
import { storeOf } from '../../store/guard.js'
import { rowsOf, type Scene, storedIdOf, writeRow } from './subject.js'

const rowId = 'passkey'

/** Returns the options of the WebAuthn ceremony for the browser. */
export function passkeyOptionsOf({ context, subject }: Scene, { provider }: FactorKindOf<'passkey'>) {
  return secondFactorOptions(context, provider, { userId: subject.userId, startedBy: subject.key })
}

/**
 * Returns the methods of a right answer by a passkey of this user to this attempt; `undefined` otherwise.
 *
 * @throws TooManyRequests, AdapterError.
 */
export async function checkPasskey(
  { context, subject }: Scene,
  { provider }: FactorKindOf<'passkey'>,
): Promise<readonly string[] | undefined> {
  if (context.request.body.action !== 'authenticate') return undefined
  const identity = await prove(context, provider)
  const id = storedIdOf({ context, subject })
  if (identity === undefined || id === undefined) return undefined
  const isTheirs = identity.user.id === id && identity.startedBy === subject.key
  return isTheirs ? identity.amr : undefined
}

async function prove(context: AuthContext, provider: ResolvedWebAuthnProvider) {
  try {
    const result = await flowOf(provider).finish(context, provider)
    return result.kind === 'identity' ? result.identity : undefined
  } catch (error) {
    // Only a wrong answer is treated as `undefined`. Rate limits and database errors are rethrown.
    if (!(error instanceof WebAuthnVerificationError || error instanceof InvalidCheck)) throw error
    context.config.logger.debug('a passkey was refused as a second factor', error)
    return undefined
  }
}

/** Checks whether the user has a passkey. */
export async function hasPasskey(scene: Pick<Scene, 'context' | 'subject'>): Promise<boolean> {
  const id = storedIdOf(scene)
  const store = storeOf(scene.context.config)
  return id !== undefined && store.can.listPasskeys && (await store.listAuthenticators(id)).length > 0
}

/** Stores that the user's passkeys are a second factor. */
export async function addPasskey(scene: Scene): Promise<boolean> {
  if (rowsOf(scene, 'passkey').length > 0) return false
  return writeRow(scene, { id: rowId, type: 'passkey', usedAt: new Date() })
}
