/** Storing what a provider answered to a refresh. The refresh token that was sent is used up, so this does not give up easily. */
import { setTimeout as pause } from 'node:timers/promises'
import { AdapterError, toError } from '../../errors.js'
import type { StoredTokens } from '../../store/tables.js'
import type { Progress } from './flight.js'
import { open, write } from './rows.js'
import type { KeptTokens } from './seal.js'
import { subjectIn } from './subject.js'
import type { Vault } from './vault.js'

/** The tokens of a row, before and after the provider's answer. */
export interface Answered {
  readonly before: KeptTokens
  readonly after: KeptTokens
}

/** What storing needs. */
interface Storing extends Pick<Vault, 'rows' | 'sealer'> {
  revoke(tokens: KeptTokens): Promise<unknown>
}

/** Milliseconds between attempts to store new tokens; each further one comes after the last of them. */
const pauses = [100, 300, 1000]

/** Milliseconds for which a store that is away is tried again: these tokens are nowhere else. */
const longest = 5 * 60 * 1000

/**
 * Stores new tokens. Where they cannot be stored as they are, it stores the refresh token without the access token.
 *
 * @throws The error of the store, or of the sealing, also where the refresh token alone was stored.
 */
export async function store(
  storing: Storing,
  { row, progress }: { row: StoredTokens; progress: Progress },
  answered: Answered,
): Promise<void> {
  const end = performance.now() + longest
  for (let failures = 0; ; failures++) {
    try {
      return await storeOnce(storing, row, answered)
    } catch (error) {
      progress.fault = toError(error)
      const isAway = error instanceof AdapterError
      // A store that is away fails a few times. One that refuses these tokens, such as a column that is too short, always does.
      const isStored = (!isAway || failures >= pauses.length) && (await storeLess(storing, row, answered))
      if (isStored || !isAway || performance.now() > end) throw error
    }
    await pause(pauses[failures] ?? pauses.at(-1))
  }
}

/** The access token can be had again, by the refresh token. */
function storeLess(storing: Storing, row: StoredTokens, { before, after }: Answered): Promise<boolean> {
  const { access_token: _token, expires_at: _end, expires_in: _life, id_token: idToken, ...others } = after
  const subject = idToken === undefined ? undefined : subjectIn(idToken)
  return storeOnce(storing, row, { before, after: { ...others, ...(subject && { subject }) } }).then(
    () => true,
    () => false,
  )
}

/** Rounds in which somebody else may have written the row. */
const mostRounds = 20

async function storeOnce(storing: Storing, row: StoredTokens, { before, after }: Answered): Promise<void> {
  let next = { row, tokens: after }
  for (let round = 0; round < mostRounds; round++) {
    if (await write(storing, next.row, next.tokens)) return
    const now = await storing.rows.find(row)
    // Disconnected meanwhile: nobody knows these tokens, and nobody shall use them.
    if (!now) return void (await storing.revoke(after))
    if (now.userId !== row.userId) return
    const theirs = (await open(storing, now)).tokens
    // Another sign-in brought a refresh token. Or a write was made that seemed to fail.
    if (theirs?.refresh_token !== before.refresh_token || after.refresh_token === before.refresh_token) return
    // A sign-in that brought no refresh token kept the one that is used up by now.
    const { refresh_token, unverified } = after
    next = { row: now, tokens: { ...theirs, refresh_token, ...(unverified && { unverified }) } }
  }
  throw new AdapterError(
    'The store of provider tokens accepted no write, though each had the version that it returned.',
  )
}
