/** The proof that an organization owns a domain: a TXT record, whose text is derived and stored nowhere. */
import { Resolver } from 'node:dns/promises'
import type { ResolvedConfig, ResolvedConnections } from '../../contracts/index.js'
import { includesHash, keyedHashes } from '../../crypto/keyed-hashes.js'
import { toError } from '../../errors.js'
import type { StoredDomain } from './description.js'
import { recordsOf, verifiesAddresses } from './store.js'
import type { DomainRecord } from './types.js'

const day = 24 * 60 * 60 * 1000
/** The most TXT records of one name that are compared. */
const maxRecords = 50
const prefix = 'server-auth='

/** An organization and a normalized domain. */
export interface DomainClaim {
  readonly organizationId: string
  readonly domain: string
}

/** Returns the record that proves the claim. */
export function domainRecordOf(config: ResolvedConfig, claim: DomainClaim): DomainRecord {
  const [value = ''] = proofsOf(config, claim)
  return { name: `_server-auth.${claim.domain}`, type: 'TXT', value: prefix + value }
}

/** Returns the accepted texts, one for each secret. Other organizations, sites and tenants have other ones. */
function proofsOf(config: ResolvedConfig, { organizationId, domain }: DomainClaim): string[] {
  return keyedHashes(config, 'domain of an organization', [organizationId, domain])
}

/** The result of a query. `unavailable`: DNS does not answer. */
type DomainProof = 'proved' | 'missing' | 'unavailable'

/** Queries DNS whether a claim is proved. */
async function queryProof(config: ResolvedConfig, claim: DomainClaim): Promise<DomainProof> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const { nameServers } = config.connections ?? {}
  if (nameServers) resolver.setServers(nameServers)
  const { name } = domainRecordOf(config, claim)
  try {
    // An alias, such as a wildcard, would let the owner of its target prove the domain.
    const [aliases, texts] = await Promise.all([
      answerOf(resolver.resolveCname(name)),
      answerOf(resolver.resolveTxt(name)),
    ])
    if (aliases.length > 0) return 'missing'
    const proofs = proofsOf(config, claim)
    const values = texts.slice(0, maxRecords).map((chunks) => chunks.join('').trim())
    return values.some((text) => text.startsWith(prefix) && includesHash(proofs, text.slice(prefix.length)))
      ? 'proved'
      : 'missing'
  } catch (error) {
    config.logger.debug('DNS did not answer about a domain of an organization', { code: codeOf(error) })
    return 'unavailable'
  }
}

/** Returns the records; none if the name or the type does not exist. */
async function answerOf<T>(query: Promise<T[]>): Promise<T[]> {
  try {
    return await query
  } catch (error) {
    if (codeOf(error) === 'ENODATA' || codeOf(error) === 'ENOTFOUND') return []
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/**
 * Verifies a domain and stores it. The key of the record decides between organizations.
 *
 * @throws {@link AdapterError}
 */
export async function verifyClaim(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  claim: DomainClaim,
): Promise<'verified' | 'missing' | 'taken' | 'unavailable'> {
  const { domains } = recordsOf(connections)
  const proof = await queryProof(config, claim)
  if (proof !== 'proved') return proof
  for (let tries = 0; tries < 3; tries++) {
    const stored = await domains.find({ domain: claim.domain })
    const isTaken = stored !== null && stored.organizationId !== claim.organizationId
    const found = isTaken ? await checkAgain(config, connections, stored) : stored
    if (isTaken && (!found || verifiesAddresses(found))) return 'taken'
    const now = new Date()
    const record = { ...claim, verifiedAt: now, checkedAt: now, failedSince: null }
    if (await domains.write(record, found?.version ?? 0)) return 'verified'
  }
  return 'taken'
}

/** Checks whether the record of a domain is due to be checked again: weekly, and daily while it is missing. */
export function isCheckDue({ checkedAt, failedSince }: StoredDomain): boolean {
  return Date.now() - checkedAt.getTime() >= (failedSince ? 1 : 7) * day
}

/**
 * Checks the record of a stored domain again, and stores since when it is missing. Never rejects.
 *
 * @returns The stored domain; `undefined` if it was changed at the same time, or the store failed.
 */
export async function checkAgain(
  config: ResolvedConfig,
  connections: ResolvedConnections,
  { version, ...stored }: StoredDomain,
): Promise<StoredDomain | undefined> {
  try {
    const isProved = (await queryProof(config, stored)) === 'proved'
    const now = new Date()
    const checked = { ...stored, checkedAt: now, failedSince: isProved ? null : (stored.failedSince ?? now) }
    if (!(await recordsOf(connections).domains.write(checked, version))) return undefined
    if (!isProved && !stored.failedSince) config.logger.warn('domain-unverified', missingRecordWarning)
    return { ...checked, version: version + 1 }
  } catch (error) {
    config.logger.error(toError(error))
    return undefined
  }
}

const missingRecordWarning =
  'The DNS record of a domain of an organization is missing. If it stays missing for three days, the domain verifies no more email addresses. `auth.connections.list` has the domain.'
