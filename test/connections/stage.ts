/** An application with connections, at both doors: real identity providers on loopback, and a name server. */
import { randomUUID } from 'node:crypto'
import express from 'express'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { ConnectionFunctions } from '../../lib/features/connections/functions.js'
import type { ConnectionsOptions } from '../../lib/features/connections/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { requireSession, startSession } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { RecordKey, RecordStore, RecordTable, StoredRecord } from '../../lib/types/store.js'
import initAuth from '../../shim/index.js'
import { complete, createLog } from '../support/app.js'
import { type DnsServer, startDnsServer } from '../support/dns-server.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { type OpenIdProvider, startOpenIdProvider, type TestAccount } from '../support/openid-provider.js'

export const base = '/api/auth'

/** The members of the organizations, as the application knows them. */
export class Members {
  readonly #roles = new Map<string, string>()
  /** The reasons with which watches of sessions have ended. */
  readonly ends: string[] = []
  /** Replaces the answer. */
  answer: (() => never) | undefined

  set(userId: string, organization: string, role: string | undefined): void {
    const key = JSON.stringify([userId, organization])
    if (role === undefined) this.#roles.delete(key)
    else this.#roles.set(key, role)
  }

  get(userId: string, organization: string): string | undefined {
    return this.#roles.get(JSON.stringify([userId, organization]))
  }

  option() {
    return {
      roles: { owner: ['connections:write'], member: [] },
      membership: (userId: string, organization: string) => {
        this.answer?.()
        const role = this.get(userId, organization)
        return role === undefined ? null : { role }
      },
    }
  }
}

/** The places of all tests of a file. */
export interface World {
  readonly dns: DnsServer
  readonly idp: OpenIdProvider
  close(): Promise<void>
}

/** Starts the name server and an identity provider with these accounts. */
export async function openWorld(accounts: readonly TestAccount[] = []): Promise<World> {
  const dns = await startDnsServer()
  const idp = await startOpenIdProvider({ accounts, host: '127.0.0.1' })
  return { dns, idp, close: async () => void (await Promise.all([dns.close(), idp.close()])) }
}

/** An application. */
export interface Stage extends Door {
  readonly members: Members
  /** Signs a user in by the application's own proof of an address. */
  signIn(email: string, browser?: Browser): Promise<{ browser: Browser; userId: string }>
  /** Calls a function of `auth.connections` as the user of a browser. */
  call<Name extends keyof ConnectionFunctions>(
    browser: Browser,
    name: Name,
    ...args: Parameters<ConnectionFunctions[Name]>
  ): Promise<Awaited<ReturnType<ConnectionFunctions[Name]>> & { type?: string }>
  /** Calls a function of any group as the user of a browser. */
  callAny(browser: Browser, group: string, name: string, ...args: unknown[]): Promise<Answer['body']>
  /** Signs a user in at an identity provider, from the page of the connection. */
  through(browser: Browser, id: string, login: string, idp?: OpenIdProvider): Promise<Answer>
  /** Returns the status of a page of an organization. */
  status(browser: Browser, organization: string): Promise<number>
  /** Verifies a domain for an organization, whose owner uses the browser. */
  verify(owner: Browser, organization: string, domain: string): Promise<void>
  /** Creates a connection in the state `on`. */
  connect(owner: Browser, organization: string, idp?: OpenIdProvider): Promise<string>
}

type Options = Partial<Omit<FullStackAuthConfig, 'connections'>> & {
  readonly connections?: Partial<ConnectionsOptions>
}

/** Opens an application at a door. */
export type OpenStage = (options?: Options) => Promise<Stage>

/** A call of a function that the page `/call` makes. */
interface Called {
  readonly group: string
  readonly name: string
  readonly args: readonly unknown[]
}

function functionOf(functions: object, group: string, name: string): (...args: unknown[]) => Promise<unknown> {
  const found = Reflect.get(Reflect.get(functions, group), name)
  return (...args) => found(...args)
}

/** The strategies of sessions. */
export const strategies = ['jwt', 'database'] as const

/** Returns the functions that open an application at a door, with one kind of session. */
export function stagesOf(
  world: () => World,
): Readonly<Record<'express' | 'shim', (strategy: 'jwt' | 'database') => OpenStage>> {
  const configOf = (strategy: 'jwt' | 'database', { connections, ...more }: Options, members: Members) => {
    const { dns, idp } = world()
    return {
      // The counts of a process belong to the secret.
      secret: `a-secret-of-the-stage-${randomUUID()}`,
      adapter: memoryAdapter(),
      organizations: members.option(),
      session: strategy === 'jwt' ? { strategy, revocation: memoryStore() } : { strategy },
      connections: { store: true, privateOrigins: [idp.issuer], nameServers: [dns.address], ...connections },
      ...more,
    } as const
  }
  return {
    express:
      (strategy) =>
      async (options = {}) => {
        const members = new Members()
        const config = configOf(strategy, options, members)
        const door = await openExpress(config, {
          after(app, own) {
            const functions = expressFunctions(own)
            app.post('/call', express.json(), (req, res, next) => {
              const { group, name, args } = req.body as Called
              const request = name === 'verifiesAddress' ? [] : [req]
              functionOf(functions, group, name)(...request, ...args).then((outcome) => res.json(outcome), next)
            })
            app.get('/watch', (req, res) => {
              functions.sessions.watch(req, (reason) => void members.ends.push(reason), { every: 1 })
              res.json({ ok: true })
            })
            app.get('/start', (req, res, next) => {
              const user = { email: String(req.query.email), emailVerified: true as const }
              startSession(req, res, own, {
                user,
                amr: ['otp'],
                ...(req.query.maxAge && { maxAge: Number(req.query.maxAge) }),
              }).then((started) => res.json(started), next)
            })
            app.all(
              '/org/:org',
              requireSession(own, { organization: (req) => req.params.org }),
              (_req, res) => void res.json({ ok: true }),
            )
          },
        })
        return toStage(door, members, world)
      },
    shim:
      (strategy) =>
      async (options = {}) => {
        const members = new Members()
        const log = createLog()
        const own = complete({ basePath: base, ...configOf(strategy, options, members) }, log)
        const { handlers, auth, startSession: start, ...functions } = initAuth(own)
        const answer = async (request: Request): Promise<Response> => {
          const { pathname, searchParams } = new URL(request.url)
          const [, first = '', second = ''] = pathname.split('/')
          if (first === 'call') {
            const { group, name, args } = (await request.json()) as Called
            return Response.json(await functionOf(functions, group, name)(...args))
          }
          if (first === 'watch') {
            functions.sessions.watch((reason) => void members.ends.push(reason), { every: 1 })
            return Response.json({ ok: true })
          }
          if (first === 'start') {
            const user = { email: searchParams.get('email') ?? '', emailVerified: true as const }
            return Response.json(
              await start({
                user,
                amr: ['otp'],
                ...(searchParams.get('maxAge') && { maxAge: Number(searchParams.get('maxAge')) }),
              }),
            )
          }
          if (first === 'org') {
            await auth.require(request, { organization: () => second })
            return Response.json({ ok: true })
          }
          return handlers.GET(request)
        }
        const door = await openFetch(
          log,
          (request) =>
            answer(request).catch((error: unknown) => {
              if (error instanceof Response) return error
              const { type, status = 500 } = error as { type?: string; status?: number }
              return Response.json({ type }, { status })
            }),
          { ip: '127.0.0.1' },
          own,
        )
        return toStage(door, members, world)
      },
  }
}

function toStage(door: Door, members: Members, world: () => World): Stage {
  const callAny: Stage['callAny'] = async (browser, group, name, ...args) =>
    (await browser.ask('/call', { json: { group, name, args } })).body
  const call: Stage['call'] = (browser, name, ...args) => callAny(browser, 'connections', name, ...args)
  return {
    ...door,
    ...{ members, call, callAny },
    async signIn(email, browser = door.browser()) {
      await browser.get(`/start?email=${encodeURIComponent(email)}`)
      return { browser, userId: (await browser.session(base))?.user?.id }
    },
    async through(browser, id, login, idp = world().idp) {
      const { headers, text } = await browser.submit(`${base}/signin/${id}`, { callbackUrl: '/done' })
      if (!headers.location) throw new Error(`the sign-in did not begin: ${text.slice(0, 300)}`)
      return browser.get(await idp.signInAs(headers.location, login))
    },
    status: async (browser, organization) => (await browser.get(`/org/${organization}`)).status,
    async verify(owner, organization, domain) {
      const claimed = await call(owner, 'claimDomain', { organization, domain })
      if (!claimed.ok) throw new Error(`the domain was not claimed: ${JSON.stringify(claimed)}`)
      const { names } = world().dns
      const { name, value } = claimed.record
      names.set(name, { txt: [[value.slice(0, 10), value.slice(10)]] })
      const verified = await call(owner, 'verifyDomain', { organization, domain })
      if (!verified.ok) throw new Error(`the domain was not verified: ${JSON.stringify(verified)}`)
    },
    async connect(owner, organization, idp = world().idp) {
      const made = await call(owner, 'create', { organization, name: `${organization} <sso>`, ...idp.settings() })
      if (!made.ok) throw new Error(`the connection was not created: ${JSON.stringify(made)}`)
      const changed = await call(owner, 'set', made.id, { state: 'on' })
      if (!changed.ok) throw new Error(`the connection was not turned on: ${JSON.stringify(changed)}`)
      return made.id
    },
  }
}

/** Signs the owner of the organization `acme` in, verifies the domain `acme.example`, and connects the identity provider. */
export async function connectAcme(stage: Stage, email = 'owner@acme.example') {
  const owner = await stage.signIn(email)
  stage.members.set(owner.userId, 'acme', 'owner')
  await stage.verify(owner.browser, 'acme', 'acme.example')
  return { owner, id: await stage.connect(owner.browser, 'acme') }
}

/** The options of an application that stores its organizations. The owner may change connections. */
export const storedOrganizations = {
  organizations: {
    store: true,
    owner: 'owner',
    roles: {
      owner: ['members:read', 'members:write', 'organization:write', 'organization:delete', 'connections:write'],
      editor: ['members:read'],
      member: [],
    },
  },
  providers: [{ id: 'email', name: 'Email', type: 'email', sendVerificationRequest: () => {} }],
} satisfies Options

/** Does the same as {@link connectAcme} for a stored organization. */
export async function connectStored(stage: Stage) {
  const owner = await stage.signIn('owner@acme.example')
  const made = await stage.callAny(owner.browser, 'organizations', 'create', { name: 'Acme' })
  const organizationId = String(made.organization.id)
  await stage.verify(owner.browser, organizationId, 'acme.example')
  return { owner, organizationId, id: await stage.connect(owner.browser, organizationId) }
}

/** Changes columns of a stored record, as another process would. */
export async function changeRecord(
  records: RecordStore,
  { table, key }: { readonly table: RecordTable; readonly key: RecordKey },
  change: StoredRecord,
): Promise<void> {
  const { version, ...row } = (await records.find(table, key)) ?? {}
  if (!(await records.write(table, { ...row, ...change }, Number(version)))) throw new Error('the record has changed')
}
