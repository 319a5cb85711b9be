/** Users of whom every table and every store has data, in each kind of database, and a dump of all of it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { combine } from '../../lib/adapters/combine.js'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { redisSessions, redisStore } from '../../lib/adapters/redis/index.js'
import { sqlAdapter } from '../../lib/adapters/sql/index.js'
import { type AuditLog, auditLog } from '../../lib/audit/index.js'
import { shortHash } from '../../lib/crypto/hash.js'
import { deletionsTable } from '../../lib/features/deletion/description.js'
import { factorsTable } from '../../lib/features/factors/description.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { userKeys } from '../../lib/features/revocation/store.js'
import { sealTokens } from '../../lib/features/tokens/seal.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import { recordTables } from '../../lib/store/tables.js'
import type { Adapter, AdapterUser } from '../../lib/types/adapter.js'
import type { EmailConfig, OIDCConfig } from '../../lib/types/provider.js'
import type { Store } from '../../lib/types/store.js'
import { libraries } from '../adapters/redis-clients.js'
import { quickHasher } from '../password/stage.js'
import { credentials, secret } from '../support/app.js'
import { type AnyTables, type DatabaseKind, requireDatabase, type TestDatabase } from '../support/databases.js'
import { tellSecret } from '../support/log-watch.js'
import { passwordsIn, tokensIn } from '../support/stores.js'
import type { Strategy } from '../support/world.js'

/** A database with users, and the stores beside it. */
export interface Place {
  readonly adapter: Adapter
  /** The stores of the options, beside the adapter's. */
  readonly store: Store
  readonly audit?: AuditLog
  /** The URL of the database, for other processes. */
  readonly url?: string
  /** Returns everything that is stored, as text. */
  dump(): Promise<string>
  close(): Promise<unknown>
}

const userFields = { team: 'string' } as const

/** The places, by name. */
export const places: Readonly<Record<string, (context: Mocha.Context) => Promise<Place>>> = {
  memory: async () => memoryPlace(),
  sqlite: (context) => sqlPlace(context, 'sqlite'),
  postgres: (context) => sqlPlace(context, 'postgres'),
  mysql: (context) => sqlPlace(context, 'mysql'),
  redis: (context) => redisPlace(context),
}

/** A place in the memory of this process. */
export function memoryPlace(): Place {
  const adapter = memoryAdapter({ user: userFields })
  const store = memoryStore()
  return {
    adapter: adapter as Adapter,
    store,
    async dump() {
      const users = await adapter.listUsers({ part: 'email', prefix: '', limit: 100 })
      const rows = [users, ...(await Promise.all(known.map((id) => memoryRowsOf(adapter, store, id))))]
      return JSON.stringify(rows)
    },
    close: async () => {},
  }
}

/** The ids of all users that were seeded. */
const known: string[] = []

async function memoryRowsOf(adapter: ReturnType<typeof memoryAdapter>, store: Store, id: string): Promise<unknown[]> {
  const ofStores = [adapter.store(), store].flatMap(({ records, log }) => [
    ...recordTables.flatMap((table) => [id, 'started', 'done'].map((by) => (table.by ? records.list(table, by) : []))),
    log.listed?.(userKeys(id).ended),
  ])
  return Promise.all([
    ...ofStores,
    adapter.getUser(id),
    adapter.listAccountsByUserId(id),
    adapter.listSessionsByUserId(id),
    adapter.listAuthenticatorsByUserId(id),
    adapter.getSessionUserAndData(sessionOf(id)),
    adapter.useVerificationToken({ identifier: `${id}@private.example`, token: `mailed-secret-of-${id}` }),
  ])
}

async function sqlPlace(context: Mocha.Context, kind: DatabaseKind): Promise<Place> {
  const database = await requireDatabase(context, kind)
  const adapter = sqlAdapter(database.db, { user: userFields })
  await adapter.migrate()
  const audit = auditLog(database.db)
  return {
    adapter: adapter as Adapter,
    store: adapter.store(),
    audit,
    url: database.url,
    dump: async () => JSON.stringify(await tablesOf(database)),
    close: () => database.close(),
  }
}

const tableNames = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table'`,
  postgres: sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`,
  mysql: sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = database()`,
} as const

async function tablesOf({ kind, db }: TestDatabase): Promise<unknown[]> {
  const { rows } = await tableNames[kind].execute(db)
  return Promise.all(
    rows.map(async ({ name }) => [
      name,
      await db
        .selectFrom(name as keyof AnyTables)
        .selectAll()
        .execute(),
    ]),
  )
}

async function redisPlace(context: Mocha.Context): Promise<Place> {
  const database = await requireDatabase(context, 'sqlite')
  const opened = await libraries.redis?.()
  if ((await opened?.command('PING').catch(() => {})) !== 'PONG' || !opened) return context.skip()
  const prefix = `deletion-${randomBytes(6).toString('hex')}:`
  const sql = sqlAdapter(database.db, { user: userFields })
  await sql.migrate()
  const adapter = combine(sql as Adapter, { sessions: redisSessions(opened.client, { prefix }) })
  const keys = async () => (await opened.command('KEYS', `${prefix}*`)) as string[]
  const read = async (key: string) => {
    const commands = {
      string: ['GET', key],
      hash: ['HGETALL', key],
      set: ['SMEMBERS', key],
      zset: ['ZRANGE', key, '0', '-1'],
    }
    const type = String(await opened.command('TYPE', key)) as keyof typeof commands
    return opened.command(...commands[type])
  }
  return {
    adapter,
    store: redisStore(opened.client, { prefix }),
    dump: async () =>
      JSON.stringify([
        await tablesOf(database),
        ...(await Promise.all((await keys()).map(async (key) => [key, await read(key)]))),
      ]),
    async close() {
      for (const key of await keys()) await opened.command('DEL', key)
      await opened.close()
      await database.close()
    },
  }
}

const mail: EmailConfig = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} }

/** The configuration of an application with all capabilities. @param settings The settings of a provider with an issuer. */
export function configOf(
  { adapter, store, audit }: Omit<Place, 'dump' | 'close'>,
  strategy: Strategy,
  settings: object = { issuer: 'http://127.0.0.1:9/', clientId: 'c', clientSecret: 's' },
): ServerAuthConfig {
  return {
    secret,
    adapter,
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      credentials(),
      Passkey({ relyingParty: { id: 'app.test', name: 'App', origin: 'https://app.test' } }),
      mail,
      Password({ mail, store, hash: quickHasher() }),
      { id: 'oidc', name: 'OpenID', type: 'oidc', ...settings } as OIDCConfig,
    ],
    factors: { methods: [Totp(), RecoveryCodes()], store },
    tokens: { store },
    session: { strategy, data: true, revocation: { store, ...(strategy === 'jwt' && { list: true }) } },
    deletion: { store },
    experimental: { enableWebAuthn: true },
    ...(audit && { events: audit.events }),
  }
}

/** The stored key of a user's session: a hash, which links of sessions keep until they are pruned. */
const sessionOf = (id: string) => shortHash(`session of ${id}`)

/** A user with data everywhere. */
export interface Seeded {
  readonly id: string
  /** The values that an export must contain, each once. */
  readonly facts: readonly string[]
  /** The values that are stored, and that no export contains. */
  readonly secrets: readonly string[]
  /** The refresh token in the vault, which is stored encrypted only. */
  readonly vaultToken: string
}

type Seed = { readonly id: string; readonly name: string; readonly secretOf: (kind: string) => string }

/** Stores a user in every table and every store. @param name One word, which all of the user's values contain. */
export async function seedUser(place: Omit<Place, 'dump' | 'close'>, name: string): Promise<Seeded> {
  const { adapter, audit } = place
  const id = randomUUID()
  known.push(id)
  const secrets: string[] = []
  const secretOf = (kind: string) => {
    secrets.push(`${kind}-secret-of-${id}`)
    tellSecret(`${kind}-secret-of-${id}`)
    return `${kind}-secret-of-${id}`
  }
  const [email, at] = [`${id}@private.example`, new Date(Date.now() - 1000)]
  const user = { id, name: `Name of ${name}`, email, emailVerified: at, image: `https://img.example/${name}` }
  await adapter.createUser?.({ ...user, team: `team-${name}` } as AdapterUser)
  await seedAdapter(place, { id, name, secretOf })
  const vaultToken = `vault-secret-of-${id}`
  await seedStore(place, { id, name, secretOf }, vaultToken)
  await audit?.events.signIn({ user, account: null, sid: `sid-${name}`, request: { ip: '203.0.113.77' } })
  const words = ['team', 'account', 'scope', 'phone', 'vault-account', 'vault-scope'].map((word) => `${word}-${name}`)
  return { id, facts: [email, user.name, user.image, ...words], secrets, vaultToken }
}

async function seedAdapter({ adapter }: Pick<Place, 'adapter'>, { id, name, secretOf }: Seed): Promise<void> {
  const expires = new Date(Date.now() + 3_600_000)
  const tokens = {
    access_token: secretOf('access'),
    refresh_token: secretOf('refresh'),
    id_token: secretOf('id-token'),
  }
  const account = { provider: 'oidc', providerAccountId: `account-${name}`, type: 'oidc' } as const
  await adapter.linkAccount?.({ userId: id, ...account, ...tokens, scope: `scope-${name}` })
  await adapter.createAuthenticator?.({
    ...{ userId: id, providerAccountId: `handle-${id}`, credentialID: `credential-${name}`, counter: 0 },
    ...{ credentialPublicKey: secretOf('public-key'), credentialBackedUp: true, credentialDeviceType: 'multiDevice' },
  })
  const sessionToken = sessionOf(id)
  await adapter.createSession?.({ sessionToken, userId: id, expires })
  await adapter.linkSession?.({ sessionToken, subject: shortHash(`subject of ${id}`), providerSession: null })
  await adapter.writeSessionData?.({ sessionToken, data: `{"of":"${secretOf('data')}"}`, previous: null })
  await adapter.createVerificationToken?.({ identifier: `${id}@private.example`, token: secretOf('mailed'), expires })
}

async function seedStore({ store }: Pick<Place, 'store'>, { id, name, secretOf }: Seed, vaultToken: string) {
  const createdAt = new Date(Date.now() - 1000)
  const factor = { userId: id, id: `factor-${name}`, type: 'totp', name: `phone-${name}`, data: secretOf('totp') }
  await store.records.write(factorsTable, { ...factor, createdAt, usedAt: null, expiresAt: null }, 0)
  await passwordsIn(store).write({ userId: id, hash: secretOf('hash'), changedAt: createdAt }, 0)
  const key = { provider: 'oidc', providerAccountId: `vault-account-${name}`, userId: id }
  const sealed = await sealTokens({ refresh_token: vaultToken }, key, [secret])
  const row = { ...key, sealed, expiresAt: null, scope: `vault-scope-${name}`, needsConsent: false }
  await tokensIn(store).write(row, 0)
}

/** All that identifies a seeded user, and must be gone. */
export function tracesOf({ id, facts, secrets }: Seeded, name: string): readonly string[] {
  return [id, ...facts, ...secrets, `credential-${name}`, `factor-${name}`]
}

/** The tombstones of a place. */
export async function tombstonesIn({ store }: Pick<Place, 'store'>) {
  return store.records.list(deletionsTable, 'done')
}
