/** The implementations of `auth.apiKeys`. */
import { actorOf, administrationContextOf, assertUserId } from '../../account/actor.js'
import { accountManagerOf, signedInUserOf } from '../../account/signed-in-user.js'
import { rejectionReasons } from '../../actions/index.js'
import { isRecord } from '../../base/guards.js'
import { emitEvent } from '../../callbacks/index.js'
import { callSourceOf, ownRequest } from '../../calls/call.js'
import { isListOf } from '../../config/shape.js'
import type { ResolvedApiKeys, ResolvedConfig } from '../../contracts/index.js'
import { InvalidConfiguration, InvalidRequest } from '../../errors.js'
import type { RequestCall, Runs } from '../../functions/run.js'
import type { AdministrationContext } from '../../types/config.js'
import { isConfirmed } from '../connections/store.js'
import { removeLateRecords } from '../deletion/store.js'
import { membershipsOf } from '../organizations/store.js'
import type { StoredApiKey } from './description.js'
import type { ApiKeyFunctions, apiKeyRules } from './functions.js'
import { loadApiKeys } from './loader.js'
import { keyHashes, keyRecordsOf, requireApiKeysOption, revokedKeysOf, toEntry } from './store.js'
import type { CreateApiKeyOptions } from './types.js'

/** The most keys of a user. */
const mostKeys = 100

/** The functions of `auth.apiKeys`. */
export const apiKeyFunctions: Runs<ApiKeyFunctions, typeof apiKeyRules> = {
  async create(call, options) {
    const { config } = call.auth
    const option = requireApiKeysOption(config, '`apiKeys.create`')
    const wanted = readOptions(option, options)
    const signedIn = await signedInUserOf(call)
    if (!signedIn) return { ok: false, reason: 'session' }
    const { user, owner, facts } = signedIn
    const rejection = await rejectionFor(call, user.id)
    if (rejection) return { ok: false, reason: rejection }
    const isAllowed =
      (await isMember(config, user.id, wanted.organizationId)) &&
      (await isConfirmed(config, owner, wanted.organizationId))
    if (!isAllowed) return { ok: false, reason: 'organization' }
    const records = keyRecordsOf(option)
    if ((await records.list(user.id)).length >= mostKeys) return { ok: false, reason: 'limit' }
    const { createKey } = await loadApiKeys()
    const { id, key } = createKey(option.prefix)
    const [hash = ''] = keyHashes(config, key)
    const record = { ...wanted, id, userId: user.id, hash, createdAt: new Date(), lastUsedAt: null }
    // No other key has the id, which has 71 random bits.
    if (!(await records.write(record, 0))) throw new Error('The id of the new API key is in use. Try again.')
    // Again, because concurrent calls could all have found room.
    if ((await records.list(user.id)).length > mostKeys) {
      await records.remove({ id, userId: user.id })
      return { ok: false, reason: 'limit' }
    }
    await removeLateRecords(config, user.id)
    await emitEvent(config, 'apiKeyCreated', {
      ...{ userId: user.id, keyId: id, scopes: wanted.scopes.split(' '), expires: wanted.expiresAt },
      ...(wanted.organizationId !== null && { organization: wanted.organizationId }),
      ...facts,
    })
    return { ok: true, key, ...toEntry({ ...record, version: 1 }) }
  },

  async list(call) {
    const option = requireApiKeysOption(call.auth.config, '`apiKeys.list`')
    const signedIn = await signedInUserOf(call)
    return signedIn ? (await keyRecordsOf(option).list(signedIn.user.id)).map(toEntry) : []
  },

  async revoke(call, id) {
    const { config } = call.auth
    const option = requireApiKeysOption(config, '`apiKeys.revoke`')
    const signedIn = await accountManagerOf(call)
    if (!signedIn) return { ok: false, reason: 'session' }
    const { user, facts } = signedIn
    if (typeof id !== 'string') return { ok: false, reason: 'unknown' }
    const isRevoked = await revokeKey(config, option, { id, userId: user.id, by: user.id, ...facts })
    return isRevoked ? { ok: true } : { ok: false, reason: 'unknown' }
  },

  async revokeAll(call, userId) {
    const { config } = call.auth
    const option = requireApiKeysOption(config, '`apiKeys.revokeAll`')
    assertUserId(userId)
    const by = administrationContextOf(await actorOf(call))
    let count = 0
    for (const { id } of await keyRecordsOf(option).list(userId)) {
      if (await revokeKey(config, option, { id, userId, ...by })) count += 1
    }
    return count
  },
}

/** A key that is to be revoked. The owner is a part of it, so that no user removes the key of another user. */
interface OwnedKey {
  readonly id: string
  readonly userId: string
}

/** Revokes a key. @returns `false` if the user has no such key, or another call has revoked it. */
async function revokeKey(
  config: ResolvedConfig,
  option: ResolvedApiKeys,
  { id, userId, ...by }: OwnedKey & AdministrationContext,
): Promise<boolean> {
  if ((await keyRecordsOf(option).remove({ id, userId })) === 0) return false
  revokedKeysOf(config.memory).add(id)
  await emitEvent(config, 'apiKeyRevoked', { userId, keyId: id, ...by })
  return true
}

/** Returns the reason for which the session may not create a key. */
async function rejectionFor({ auth, req }: RequestCall, userId: string): Promise<'session' | 'stale' | undefined> {
  const context = auth.createCallContext(ownRequest(auth.config, callSourceOf(req), { action: 'session' }))
  return rejectionReasons(context)(userId, 'createApiKey')
}

async function isMember({ organizations }: ResolvedConfig, userId: string, id: string | null): Promise<boolean> {
  if (id === null) return true
  if (!organizations)
    throw new InvalidConfiguration('`organization` of `apiKeys.create` needs `organizations`. Set it.')
  return membershipsOf(organizations).isMember(userId, id, { isFresh: true })
}

/** Checks the options, which a form may contain. @throws {@link InvalidRequest} */
function readOptions(
  { scopes: known, maxAge }: ResolvedApiKeys,
  given: CreateApiKeyOptions,
): Pick<StoredApiKey, 'name' | 'scopes' | 'organizationId' | 'expiresAt'> {
  const options: Partial<Record<keyof CreateApiKeyOptions, unknown>> = isRecord(given) ? given : {}
  const { name: typed, scopes, organization = null, expires } = options
  const name = typeof typed === 'string' ? typed.trim() : ''
  if (name === '' || name.length > 100 || /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new InvalidRequest('`name` must be 1 to 100 characters on one line.')
  }
  if (!isListOf(scopes, (scope) => typeof scope === 'string' && known.has(scope), 1)) {
    throw new InvalidRequest(`\`scopes\` must be a list with at least one of: ${[...known].join(', ')}.`)
  }
  if (organization !== null && typeof organization !== 'string') {
    throw new InvalidRequest('`organization` must be the id of an organization.')
  }
  const now = Date.now()
  const expiresAt = expires ?? new Date(now + maxAge)
  const isDate = expiresAt instanceof Date && !Number.isNaN(expiresAt.getTime())
  if (!isDate || expiresAt.getTime() <= now || expiresAt.getTime() > now + maxAge) {
    throw new InvalidRequest(`\`expires\` must be a Date in the future, at most ${maxAge / 1000} seconds from now.`)
  }
  return { name, scopes: [...new Set(scopes as string[])].join(' '), organizationId: organization, expiresAt }
}
