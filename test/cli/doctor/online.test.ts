/** Faults that are found by asking providers, mail servers and databases. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { combine } from '../../../lib/adapters/combine.js'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import { redisSessions, redisStore } from '../../../lib/adapters/redis/index.js'
import { connect, migrate, sqlAdapter } from '../../../lib/adapters/sql/index.js'
import Email from '../../../lib/providers/email.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { serverCertificate } from '../../support/certificates.js'
import { type DatabaseKind, databaseKinds, requireDatabase } from '../../support/databases.js'
import { freePort } from '../../support/free-ports.js'
import { startMailServer } from '../../support/mail-server.js'
import { startOwnRedis } from '../../support/own-servers.js'
import { skip } from '../../support/skip.js'
import { acme, alarms, findingsOf, type Patient } from './stage.js'

const development = { NODE_ENV: 'development', AUTH_URL: 'http://localhost:3000' }

/** The answers of a provider. */
interface Published {
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly keys?: unknown
  /** Seconds by which its clock is behind. */
  readonly behind?: number
  readonly status?: number
}

async function withProvider(
  { metadata = {}, keys = [{ kty: 'RSA', kid: '1' }], behind, status = 200 }: Published,
  test: (issuer: string) => Promise<void>,
): Promise<void> {
  const answer: RequestListener = (request, response) => {
    const issuer = `http://${request.headers.host}`
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...metadata,
    }
    response.writeHead(status, { 'content-type': 'application/json', ...(behind && ago(behind)) })
    response.end(JSON.stringify(request.url === '/keys' ? { keys } : document))
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

interface Fault extends Published {
  readonly options?: Partial<OIDCConfig>
  readonly id: string
  readonly level?: 'failure' | 'warning' | 'note'
  readonly says: RegExp
}

const ago = (seconds: number) => ({ date: new Date(Date.now() - seconds * 1000).toUTCString() })

const ofProviders: Readonly<Record<string, Fault>> = {
  'there is no discovery document': { status: 404, id: 'provider.discovery', says: /status 404.*may lack its path/ },
  'it calls itself otherwise': {
    metadata: { issuer: 'https://login.acme.example/realms/staff' },
    id: 'provider.issuer',
    says: /Write `issuer` exactly/,
  },
  'the clocks differ': {
    behind: 120,
    id: 'provider.clock',
    says: /1(?:19|20|21) seconds ahead of that of provider "acme".*NTP/,
  },
  'the clocks begin to differ': { behind: 9, id: 'provider.clock', level: 'warning', says: /NTP/ },
  'it has no PKCE': {
    metadata: { code_challenge_methods_supported: ['plain'] },
    id: 'provider.pkce',
    level: 'warning',
    says: /does not list S256/,
  },
  'it knows another way to authenticate': {
    options: { client: { token_endpoint_auth_method: 'client_secret_post' } },
    metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] },
    id: 'provider.authentication',
    says: /Take one that it lists/,
  },
  'it wants requests to be pushed': {
    options: { pushedAuthorizationRequests: false },
    metadata: { require_pushed_authorization_requests: true },
    id: 'provider.par',
    says: /to "auto"/,
  },
  'it signs nobody out': {
    options: { logout: { rpInitiated: 'always' } },
    id: 'provider.end-session',
    level: 'warning',
    says: /Remove `logout.rpInitiated`/,
  },
  'it signs by another algorithm': {
    options: { client: { id_token_signed_response_alg: 'ES256' } },
    metadata: { id_token_signing_alg_values_supported: ['RS256'] },
    id: 'provider.algorithm',
    says: /signs with RS256.*wants ES256. Correct/,
  },
  'it has no key for the algorithm': {
    keys: [{ kty: 'EC' }],
    id: 'provider.algorithm',
    says: /no key for RS256.*Name the algorithm/,
  },
  'its keys are no keys': { keys: 'none', id: 'provider.keys', says: /keys cannot be read at/ },
}

const expectFinding = async (
  patient: Patient,
  { id, level = 'failure', says }: Pick<Fault, 'id' | 'level' | 'says'>,
) => {
  const findings = await findingsOf({ isOnline: true, ...patient })
  const found = findings.find((each) => each.id === id && each.level === level)
  expect(found?.message, JSON.stringify(findings, undefined, 1)).to.match(says)
  expect(alarms(findings).filter((each) => !each.includes(` ${id}: `))).to.deep.equal([])
}

describe('npx server-auth doctor, asking', function () {
  this.slow(2000)

  for (const [title, { options, id, level, says, ...published }] of Object.entries(ofProviders)) {
    it(`a provider: reports it when ${title}`, () =>
      withProvider(published, (issuer) =>
        expectFinding(
          { config: { providers: [acme({ issuer, ...options })] }, env: development },
          { id, says, ...(level && { level }) },
        ),
      ))
  }

  it('a provider: reports nothing for a correct one', () =>
    withProvider({ metadata: { code_challenge_methods_supported: ['S256'] } }, async (issuer) => {
      for (const spelled of [issuer, `${issuer}/`]) {
        const config = { providers: [acme({ issuer: spelled })] }
        const findings = await findingsOf({ config, env: development, isOnline: true })
        expect(alarms(findings)).to.deep.equal([])
        expect(findings.map(({ id }) => id)).to.include('provider.discovery')
      }
    }))

  it('a provider: writes no lines of its own, and nothing to the terminal', () =>
    withProvider(
      { metadata: { issuer: 'https://x\nok    provider.discovery all is well\u001b[2J\u009b31m\u202e' } },
      async (issuer) => {
        const findings = await findingsOf({
          config: { providers: [acme({ issuer })] },
          env: development,
          isOnline: true,
        })
        const found = findings.find(({ id }) => id === 'provider.issuer')
        expect(found?.message)
          .to.contain('calls itself https://x ok')
          .and.not.match(/[\p{Cc}\p{Bidi_Control}]/u)
      },
    ))

  it('a provider: leads the doctor to no address that the engine would reject, and the doctor reads no more than the engine', async () => {
    let asked = 0
    const inside = createServer((_request, response) => {
      asked += 1
      response.end('{"keys":[{"kty":"RSA"}]}')
    })
    await new Promise<void>((resolve) => inside.listen(0, '0.0.0.0', resolve))
    const { port } = inside.address() as AddressInfo
    try {
      // Another name of this machine, that is none of the loopback addresses by its spelling.
      await withProvider({ metadata: { jwks_uri: `http://0.0.0.0:${port}/latest/meta-data` } }, (issuer) =>
        expectFinding(
          { config: { providers: [acme({ issuer })] }, env: development },
          { id: 'provider.keys', says: /cannot be read/ },
        ),
      )
      expect(asked).to.equal(0)
      await withProvider({ metadata: { padding: 'x'.repeat(2_000_000) } }, (issuer) =>
        expectFinding(
          { config: { providers: [acme({ issuer })] }, env: development },
          { id: 'provider.discovery', says: /no JSON/ },
        ),
      )
    } finally {
      inside.close()
      inside.closeAllConnections()
    }
  })

  it('a provider: reports one that does not answer', async () => {
    const port = await freePort()
    const gone = { config: { providers: [acme({ issuer: `http://127.0.0.1:${port}` })] }, env: development }
    await expectFinding(gone, { id: 'provider.unreachable', says: /does not take connections/ })
    const misspelt = { config: { providers: [acme({ issuer: 'https://login.acme.invalid' })] }, env: development }
    await expectFinding(misspelt, { id: 'provider.unreachable', says: /cannot be (?:found|looked up)/ })
  })

  it('a provider: reports an unknown certificate', async () => {
    const server = createTlsServer(serverCertificate, (_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `https://localhost:${(server.address() as AddressInfo).port}`
    try {
      const patient = { config: { providers: [acme({ issuer })] }, env: development }
      await expectFinding(patient, { id: 'provider.tls', says: /NODE_EXTRA_CA_CERTS|whole chain/ })
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  it('a mail server: reports whether the login works', async () => {
    const server = await startMailServer()
    const mail = (url: string) => ({
      config: { providers: [Email({ server: url, from: 'a@app.example' })], adapter: memoryAdapter() },
      env: development,
    })
    try {
      const findings = await findingsOf({ ...mail(server.url), isOnline: true })
      expect(alarms(findings)).to.deep.equal([])
      expect(findings.map(({ id }) => id)).to.include('mail.reach')
      expect(server.mails).to.have.length(0)
    } finally {
      await server.stop()
    }
    await expectFinding(mail(server.url), { id: 'mail.reach', says: /does not take connections/ })
  })

  it('a mail server: reports a wrong password, and does not print it', async () => {
    const server = new SMTPServer({
      logger: false,
      secure: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, goOn) => goOn(new Error(`535 wrong: ${password}`)),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    try {
      const provider = Email({ server: `smtp://me:pa55word-9@127.0.0.1:${port}`, from: 'a@app.example' })
      const patient = { config: { providers: [provider], adapter: memoryAdapter() }, env: development }
      await expectFinding(patient, { id: 'mail.login', says: /Correct `server`/ })
      const findings = await findingsOf({ ...patient, isOnline: true })
      expect(JSON.stringify(findings)).not.to.contain('pa55word')
    } finally {
      await new Promise<void>((resolve) => server.close(resolve))
    }
  })

  for (const kind of databaseKinds) {
    it(`${kind} reports due migrations, a missing column, and a correct database`, async function () {
      const database = await requireDatabase(this, kind)
      const patient = { config: { providers: [], adapter: sqlAdapter(database.db) }, env: development }
      const ids = async () =>
        alarms(await findingsOf({ ...patient, isOnline: true })).filter((each) => !each.includes('providers.none'))
      try {
        const [due = ''] = await ids()
        expect(due).to.match(/store\.migrations: .*default-0001-tables.*Run `npx server-auth migrate`/)
        await migrate(database.db)
        expect(await ids()).to.deep.equal([])
        await sql`alter table auth_users drop column image`.execute(database.db)
        const missing = await ids()
        expect(missing[0]).to.match(/store\.columns: .*auth_users\.image|store\.reach/)
      } finally {
        await database.close()
      }
    })
  }

  it('a database: reports that it treats different texts as equal', async function () {
    const database = await requireDatabase(this, 'mysql')
    try {
      await migrate(database.db)
      await sql`alter table auth_accounts modify providerAccountId varchar(255) character set utf8mb4 collate utf8mb4_general_ci not null`.execute(
        database.db,
      )
      await expectFinding(
        {
          config: { adapter: sqlAdapter(database.db), providers: [], basePath: '/auth' },
          env: development,
          scene: withoutProviders,
        },
        { id: 'store.collation', level: 'warning', says: /auth_accounts\.providerAccountId\. Give them a binary/ },
      )
    } finally {
      await database.close()
    }
  })

  const ownSchemas: ReadonlyArray<[kind: DatabaseKind, change: string]> = [
    ['sqlite', 'create table auth_accounts ("provider" varchar(20) collate nocase, "providerAccountId" text)'],
    ['postgres', 'create table auth_accounts ("provider" text collate "folds", "providerAccountId" text)'],
  ]
  for (const [kind, statement] of ownSchemas) {
    it(`${kind} also reports tables that another tool has created`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        if (kind === 'postgres') {
          const folds = "create collation folds (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
          await sql.raw(folds).execute(database.db)
        }
        await sql.raw(statement).execute(database.db)
        const [inspection] = await sqlAdapter(database.db).inspect()
        expect(inspection?.inexact).to.deep.equal(['auth_accounts.provider'])
      } finally {
        await database.close()
      }
    })
  }

  it('a database: reports that it is unavailable, without its password', async () => {
    const db = connect('postgres://app:pa55word@127.0.0.1:9/app')
    const findings = await findingsOf({
      config: { adapter: sqlAdapter(db) },
      env: development,
      isOnline: true,
      scene: withoutProviders,
    })
    await db.destroy()
    const [said = ''] = alarms(findings)
    expect(said)
      .to.match(/^failure store\.reach: .*Is it running/)
      .and.not.contain('pa55word')
  })

  it('Redis: reports that it evicts sessions, and that it loses ends', async function () {
    const server = await startOwnRedis().catch(() => undefined)
    if (!server) return skip(this, 'no redis-server found')
    const client = new Redis(server.url, { maxRetriesPerRequest: 1 })
    try {
      const adapter = combine(memoryAdapter(), { sessions: redisSessions(client) })
      const patient = { config: { adapter }, env: development, scene: withoutProviders }
      const calm = await findingsOf({ ...patient, isOnline: true })
      expect(alarms(calm)).to.deep.equal([])
      await client.config('SET', 'maxmemory', '100mb')
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
      await expectFinding(patient, { id: 'store.eviction', says: /allkeys-lru.*noeviction/ })
      await client.config('SET', 'maxmemory', '0')
      const revocation = { strategy: 'jwt', revocation: redisStore(client) } as const
      await expectFinding(
        { config: { session: revocation }, env: development, scene: withoutProviders },
        { id: 'store.volatile', level: 'warning', says: /appendonly yes/ },
      )
    } finally {
      client.disconnect()
      await server.remove()
    }
  })

  it('a database in memory: is rejected in production', () =>
    expectFinding(
      { config: { adapter: memoryAdapter() }, scene: withoutProviders },
      { id: 'store.memory', level: 'warning', says: /Use a database/ },
    ))
})

/** Removes the providers from a scene, because these tests are about databases. */
const withoutProviders: NonNullable<Patient['scene']> = (scene) =>
  scene.resolved ? { ...scene, warnings: [], resolved: { ...scene.resolved, providers: new Map() } } : scene
