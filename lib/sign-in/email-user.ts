/** The user of a mailed link: whoever has the address. */
import { randomUuid } from '../crypto/random.js'
import { AdapterError } from '../errors.js'
import { emit } from '../session/events.js'
import { type Attempt, namesakeOf, type ResolvedUser } from './attempt.js'
import { proveAddress } from './first-proof.js'
import { isStillInSession } from './linking-user.js'

/** Finds the user of the address, or makes one; the address is proved either way. */
export async function resolveEmailUser(attempt: Attempt): Promise<ResolvedUser> {
  const { context, store, identity } = attempt
  const email = identity.account.providerAccountId
  const known = await prove(attempt, email)
  if (known) return known
  try {
    const user = await store.createUser({ id: randomUuid(), email, emailVerified: new Date() })
    await emit(context.config, 'createUser', { user })
    return { user, isNewUser: true }
  } catch (error) {
    // Another process was faster: its user is there now.
    const made = error instanceof AdapterError ? await prove(attempt, email) : undefined
    if (made) return made
    throw error
  }
}

async function prove({ context, store, identity }: Attempt, email: string): Promise<ResolvedUser | undefined> {
  const user = await namesakeOf(store, email)
  if (!user) return undefined
  const isOwnSession = await isStillInSession(context, identity, user.id)
  return { user: await proveAddress({ context, store, user, isOwnSession }), isNewUser: false }
}
