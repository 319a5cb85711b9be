/** An application with API keys, at both doors and with each kind of session. */
import { type Request as ExpressRequest, type Response as ExpressResponse, json } from 'express'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { requireApiKey } from '../../lib/features/api-keys/index.js'
import type {
  ApiKeyCreatedMessage,
  ApiKeyRevokedMessage,
  CreateApiKeyOptions,
} from '../../lib/features/api-keys/types.js'
import type { OrganizationsOptions } from '../../lib/features/organizations/types.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { RecordStore, Store } from '../../lib/types/store.js'
import initAuth from '../../shim/index.js'
import { complete, createLog } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { closedAfterEach } from '../support/opened.js'

/** The kinds of sessions. */
export const kinds = {
  'jwt sessions': () =>
    ({ adapter: memoryAdapter(), session: { strategy: 'jwt', revocation: memoryStore() } }) as const,
  'database sessions': () =>
    ({ adapter: memoryAdapter(), session: { strategy: 'database', revocation: memoryStore() } }) as const,
} satisfies Record<string, () => Partial<ServerAuthConfig>>

export const scopes = ['notes:read', 'notes:write'] as const

/** A store of keys that counts its calls, and can fail. */
export function watchedStore(store: Pick<Store, 'records'> = memoryStore()) {
  const calls: string[] = []
  const watch = { calls, isDown: false, before: undefined as ((method: string) => Promise<unknown>) | undefined }
  const records = new Proxy(store.records, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function' || name === 'usersBy') return method
      return async (...args: unknown[]) => {
        calls.push(String(name))
        await watch.before?.(String(name))
        if (watch.isDown) throw new Error('the store is down')
        return Reflect.apply(method, target, args)
      }
    },
  }) as RecordStore
  return Object.assign(watch, { store: { records } })
}

/** The memberships of the application: the role by user and organization. */
export type Members = Map<string, string>

export const roles = { owner: ['notes:write'], member: [] } as const

/** The events of an application. */
export interface Told {
  readonly created: ApiKeyCreatedMessage[]
  readonly revoked: ApiKeyRevokedMessage[]
}

/** An application. */
export interface Stage extends Door {
  readonly watch: ReturnType<typeof watchedStore>
  readonly members: Members
  readonly told: Told
  /** Signs a user in. */
  signIn(name?: string, query?: string): Promise<{ browser: Browser; userId: string }>
  /** Creates a key by the session of a browser. */
  create(browser: Browser, options?: Partial<CreateApiKeyOptions>): Promise<Answer>
  /** Creates a key, and returns it. */
  keyOf(browser: Browser, options?: Partial<CreateApiKeyOptions>): Promise<{ key: string; id: string }>
  /** Calls a route with a key and without cookies. */
  call(key: string | undefined, path?: string, headers?: Record<string, string>): Promise<Answer>
}

export type OpenStage = (config?: Partial<FullStackAuthConfig>, keys?: object) => Promise<Stage>

interface Parts {
  readonly watch: Stage['watch']
  readonly members: Members
  readonly told: Told
}

function partsOf(config: Partial<FullStackAuthConfig>, keys: object, own: Parts): Partial<FullStackAuthConfig> {
  const membership: OrganizationsOptions['membership'] = (userId, id) => {
    const role = own.members.get(`${userId} ${id}`)
    return role === undefined ? null : { role }
  }
  return {
    organizations: { membership, roles },
    ...config,
    apiKeys: { store: own.watch.store, prefix: 'acme', scopes, cacheFor: 0, ...keys },
    events: {
      apiKeyCreated: (message) => void own.told.created.push(message),
      apiKeyRevoked: (message) => void own.told.revoked.push(message),
      ...config.events,
    },
  }
}

function toStage(door: Door, parts: Parts): Stage {
  const create: Stage['create'] = (browser, options) =>
    browser.send('post', '/keys/create', { json: { name: 'script', scopes: ['notes:read'], ...options } })
  return {
    ...door,
    ...parts,
    create,
    async signIn(name = 'ann', query = '') {
      const browser = door.browser()
      await browser.get(`/start?email=${name}@example.com${query}`)
      return { browser, userId: (await browser.get('/me')).body.user.id }
    },
    async keyOf(browser, options) {
      const { body } = await create(browser, options)
      if (!body.ok) throw new Error(`No key: ${JSON.stringify(body)}`)
      return body
    },
    call: (key, path = '/api/any', headers = {}) =>
      door.browser().get(path, { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers }),
  }
}

const newParts = (): Parts => ({ watch: watchedStore(), members: new Map(), told: { created: [], revoked: [] } })

/** Returns the options of a body, whose dates are texts. */
const readBody = (body: { expires?: string }) =>
  ({
    ...body,
    ...(body.expires !== undefined && { expires: new Date(body.expires) }),
  }) as unknown as CreateApiKeyOptions<(typeof scopes)[number]>

const typeOf = (error: { type?: string; status?: number; message: string }) => ({
  type: error.type ?? error.message,
  status: (error.constructor as { status?: number }).status ?? 500,
})

const toOwn = (config: Partial<ServerAuthConfig>) =>
  config as ServerAuthConfig & { apiKeys: { scopes: typeof scopes } } & { organizations: { roles: typeof roles } }

const express: OpenStage = async (config = {}, keys = {}) => {
  const parts = newParts()
  const door = await openExpress(partsOf(config, keys, parts), {
    after(app, full) {
      const own = toOwn(full)
      const auth = defineAuth(own)
      const failed = (res: ExpressResponse) => (error: Error) => {
        const { type, status } = typeOf(error)
        res.status(status).json({ type })
      }
      const answer =
        (work: (req: ExpressRequest, res: ExpressResponse) => Promise<unknown>) =>
        (req: ExpressRequest, res: ExpressResponse) =>
          void work(req, res).then((body) => res.json(body ?? null), failed(res))
      app.post(
        '/keys/create',
        json(),
        answer((req) => auth.apiKeys.create(req, readBody(req.body))),
      )
      app.get(
        '/keys/list',
        answer((req) => auth.apiKeys.list(req)),
      )
      app.post(
        '/keys/revoke',
        answer((req) => auth.apiKeys.revoke(req, String(req.query.id))),
      )
      app.post(
        '/keys/revoke-all',
        answer(async (req) => ({ count: await auth.apiKeys.revokeAll(String(req.query.user), req) })),
      )
      app.get(
        '/account',
        answer((req) => auth.account.get(req)),
      )
      app.get(
        '/me',
        answer((req) => auth.getSession(req)),
      )
      app.get(
        '/start',
        answer((req, res) =>
          auth.startSession(
            req,
            res,
            startOptions((name) => req.query[name] as string),
          ),
        ),
      )
      const say = (_req: ExpressRequest, res: ExpressResponse) =>
        void res.json({
          apiKey: res.locals.apiKey,
          session: res.locals.session ?? null,
          organization: res.locals.organization,
        })
      app.all('/api/any', auth.apiKeys.require({ organization: 'any' }), say)
      app.all('/api/read', auth.apiKeys.require({ scope: 'notes:read' }), say)
      app.all('/api/write', requireApiKey(own, { scope: ['notes:read', 'notes:write'] }), say)
      app.all('/both', auth.requireSession({ apiKey: 'notes:read' }), say)
      app.all('/live', auth.requireSession({ apiKey: 'notes:read', live: true }), say)
      app.all('/session', auth.requireSession(), say)
      const organization = (req: ExpressRequest) => req.params.org
      app.all('/org/:org', auth.requireSession({ apiKey: 'notes:read', organization }), say)
      app.all('/org/:org/owner', auth.requireSession({ apiKey: 'notes:read', organization, role: 'owner' }), say)
      app.post('/form', auth.csrf.require(), (_req, res) => void res.json({ ok: true }))
    },
  })
  return toStage(door, parts)
}

function startOptions(read: (name: string) => string | null | undefined) {
  const maxAge = Number(read('maxAge') ?? 0)
  return {
    user: { email: String(read('email')), emailVerified: true as const },
    amr: ['otp'],
    ...(maxAge > 0 && { maxAge }),
  }
}

const shim: OpenStage = async (config = {}, keys = {}) => {
  const parts = newParts()
  const log = createLog()
  const own = toOwn(complete({ basePath: '/api/auth', ...partsOf(config, keys, parts) }, log))
  const { handlers, auth, apiKeys, account, startSession } = initAuth(own)
  const guard = async (path: string, request: Request): Promise<unknown> => {
    const [, first, org = '', third] = path.split('/').map(decodeURIComponent)
    if (path === '/api/any')
      return { apiKey: await auth.requireApiKey(request, { organization: 'any' }), session: null }
    if (path === '/api/read')
      return { apiKey: await auth.requireApiKey(request, { scope: 'notes:read' }), session: null }
    if (path === '/api/write') {
      return { apiKey: await auth.requireApiKey(request, { scope: ['notes:read', 'notes:write'] }), session: null }
    }
    if (path === '/both') return auth.require(request, { apiKey: 'notes:read' })
    if (path === '/live') return auth.require(request, { apiKey: 'notes:read', live: true })
    if (path === '/session') return { session: await auth.require(request) }
    if (first !== 'org') return undefined
    const required = { apiKey: 'notes:read', organization: () => org } as const
    return third === 'owner' ? auth.require(request, { ...required, role: 'owner' }) : auth.require(request, required)
  }
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/keys/create')
      return Response.json(await apiKeys.create(readBody((await request.json()) as object)))
    if (pathname === '/keys/list') return Response.json(await apiKeys.list())
    if (pathname === '/keys/revoke') return Response.json(await apiKeys.revoke(String(searchParams.get('id'))))
    if (pathname === '/keys/revoke-all') {
      return Response.json({ count: await apiKeys.revokeAll(String(searchParams.get('user'))) })
    }
    if (pathname === '/account') return Response.json(await account.get())
    if (pathname === '/me') return Response.json(await auth())
    if (pathname === '/start') return Response.json(await startSession(startOptions((name) => searchParams.get(name))))
    if (pathname === '/form') return Response.json({ ok: await auth.csrf.verify(request) })
    const guarded = await guard(pathname, request)
    return guarded === undefined ? handlers.GET(request) : Response.json(guarded)
  }
  const door = await openFetch(
    log,
    (request) =>
      answer(request).catch((error: unknown) => {
        if (error instanceof Response) return error
        const { type, status } = typeOf(error as Error)
        return Response.json({ type }, { status })
      }),
    { ip: '127.0.0.1' },
    own,
  )
  return toStage(door, parts)
}

/** Both doors. */
export const doors = { express, shim } as const

/** Defines a suite for each door and each kind of session. */
export function atEach(title: string, suite: (open: OpenStage, of: { door: string; kind: string }) => void): void {
  for (const [door, open] of Object.entries(doors)) {
    for (const [kind, config] of Object.entries(kinds)) {
      describe(`${title} (${door}, ${kind})`, () => {
        const openStage: OpenStage = (more = {}, keys = {}) => {
          const own = config()
          return open({ ...own, ...more, session: { ...own.session, ...more.session } }, keys)
        }
        suite(closedAfterEach(openStage), { door, kind })
      })
    }
  }
}
