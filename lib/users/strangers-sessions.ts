/**
 * Ends sessions of whoever claimed an address, when somebody else proves it, and takes their password away.
 *
 * Twice: before the proof is written, and after the application was told of it. If the first fails nothing is written, and
 * the next attempt begins anew: written first, a proof would never be a first one again, and a stranger's sessions would go on.
 * The second ends what began in between. No store of ended sessions takes part in a transaction, so neither can do without the
 * other.
 */
import { tellEnded } from '../callbacks/events.js'
import { passwordProviderOf } from '../config/password-provider.js'
import type { AuthContext } from '../contracts/index.js'
import { requestInfo } from '../http/message.js'
import { markOf } from '../session/security-stamp.js'

/** Whose sessions end, and why. */
export interface Strangers {
  /** Who loses the address to somebody else. Their sessions are theirs, but a JWT goes on saying the address. */
  readonly loser?: { readonly id: string } | undefined
  /** A user whom somebody else comes to have, by `allowDangerousUnprovedAddressMerge`. */
  readonly merged?: { readonly id: string } | undefined
}

/**
 * Ends them, and tells of it. Rejects with AdapterError where they cannot be ended: nobody may be signed in then.
 *
 * @param isAgain The second time. Of tokens nobody knows which there are: they are told of once.
 */
export async function endStrangers(context: AuthContext, { loser, merged }: Strangers, isAgain = false): Promise<void> {
  const { config, sessions, request } = context
  const own = { mark: markOf(context) }
  const isJwt = config.session.strategy === 'jwt'
  const passwords = passwordProviderOf(config)?.password.store
  for (const user of passwords ? [merged, loser] : []) if (user) await passwords?.remove(user.id)
  const ended = merged ? await sessions.endAllOf(config, merged.id, own) : []
  // A row has no address: it is read with its user.
  if (loser && isJwt) ended.push(...(await sessions.endAllOf(config, loser.id, own)))
  if (isAgain && isJwt) return
  await tellEnded(config, ended, { reason: 'addressProved', request: requestInfo(request) })
}
