/** A passkey as a second factor: any that the person has with the provider, asked for in this attempt or session. */
import type { AuthContext, FactorKindOf, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { InvalidCheck, WebAuthnVerificationError } from '../../errors.js'
import { flowOf, secondFactorOptions } from '../../flows/index.js'
import { storeOf } from '../../store/guard.js'
import { rowsOf, type Scene, storedIdOf, writeRow } from './subject.js'

const rowId = 'passkey'

/** What the browser needs for the ceremony. */
export function passkeyOptionsOf({ context, subject }: Scene, { provider }: FactorKindOf<'passkey'>) {
  return secondFactorOptions(context, provider, { userId: subject.userId, startedBy: subject.key })
}

/**
 * By which methods a passkey of this person answered this attempt; `undefined` where none did.
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
    // What is wrong with the answer itself; a limit and a database that is away are not.
    if (!(error instanceof WebAuthnVerificationError || error instanceof InvalidCheck)) throw error
    context.config.logger.debug('a passkey was refused as a second factor', error)
    return undefined
  }
}

/** Whether the person has a passkey that could be asked for. */
export async function hasPasskey(scene: Pick<Scene, 'context' | 'subject'>): Promise<boolean> {
  const id = storedIdOf(scene)
  const store = storeOf(scene.context.config)
  return id !== undefined && store.can.listPasskeys && (await store.listAuthenticators(id)).length > 0
}

/** Stores that the person's passkeys are a second factor. */
export async function addPasskey(scene: Scene): Promise<boolean> {
  if (rowsOf(scene, 'passkey').length > 0) return false
  return writeRow(scene, { id: rowId, type: 'passkey', usedAt: new Date() })
}
