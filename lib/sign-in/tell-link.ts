/** The event of an account that was just linked. */
import type { AdapterUser } from '../adapters/types.js'
import { emit } from '../session/events.js'
import type { Attempt } from './attempt.js'

/** Tells `events.linkAccount` whose the account of the attempt is now. */
export async function tellLink({ context, identity }: Attempt, user: AdapterUser): Promise<void> {
  await emit(context.config, 'linkAccount', {
    user,
    account: { ...identity.account, userId: user.id },
    profile: identity.user,
  })
}
