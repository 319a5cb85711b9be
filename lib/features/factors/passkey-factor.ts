/** A passkey as a second factor: any passkey that the user has with the provider, used in this attempt or session. */
import type { AuthContext, FactorKindOf, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { InvalidCheck, WebAuthnVerificationError } from '../../errors.js'
import { flowOf, secondFactorOptions } from '../../flows/index.js'
import { requireStore } from '../../store/guard.js'
import { type FactorContext, factorRecordsOf, storedUserIdOf, writeFactorRecord } from './factor-context.js'

const passkeyRecordId = 'passkey'

/** Returns the options of the WebAuthn ceremony for the browser. */
export function passkeyFactorOptions({ context, subject }: FactorContext, { provider }: FactorKindOf<'passkey'>) {
  return secondFactorOptions(context, provider, { userId: subject.userId, startedBy: subject.purposeKey })
}

/**
 * Returns the methods of a right answer by a passkey of this user to this attempt; `undefined` otherwise.
 *
 * @throws TooManyRequests, AdapterError.
 */
export async function checkPasskeyFactor(
  { context, subject }: FactorContext,
  { provider }: FactorKindOf<'passkey'>,
): Promise<readonly string[] | undefined> {
  if (context.request.body.action !== 'authenticate') return undefined
  const identity = await verifyPasskeyAnswer(context, provider)
  const id = storedUserIdOf({ context, subject })
  if (identity === undefined || id === undefined) return undefined
  const isTheirs = identity.user.id === id && identity.startedBy === subject.purposeKey
  return isTheirs ? identity.amr : undefined
}

async function verifyPasskeyAnswer(context: AuthContext, provider: ResolvedWebAuthnProvider) {
  try {
    const result = await flowOf(provider).complete(context, provider)
    return result.kind === 'identity' ? result.identity : undefined
  } catch (error) {
    // Only a wrong answer is treated as `undefined`. Rate limits and database errors are rethrown.
    if (!(error instanceof WebAuthnVerificationError || error instanceof InvalidCheck)) throw error
    context.config.logger.debug('a passkey was refused as a second factor', error)
    return undefined
  }
}

/** Checks whether the user has a passkey. */
export async function hasPasskey(factorContext: Pick<FactorContext, 'context' | 'subject'>): Promise<boolean> {
  const id = storedUserIdOf(factorContext)
  const store = requireStore(factorContext.context.config)
  return id !== undefined && store.abilities.listPasskeys && (await store.listAuthenticators(id)).length > 0
}

/** Stores that the user's passkeys are a second factor. */
export async function addPasskeyFactor(factorContext: FactorContext): Promise<boolean> {
  if (factorRecordsOf(factorContext, 'passkey').length > 0) return false
  return writeFactorRecord(factorContext, { id: passkeyRecordId, type: 'passkey', usedAt: new Date() })
}
