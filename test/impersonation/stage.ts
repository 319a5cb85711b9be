/** The stage of the suites about impersonation: an application with all capabilities at each door, an administrator, and users. */
import type { Request, Response } from 'express'
import type { BeginImpersonation } from '../../lib/features/impersonation/types.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { AdapterUser } from '../../lib/types/adapter.js'
import type { StartSessionOptions } from '../../lib/types/calls.js'
import type { EventCallbacks } from '../../lib/types/config.js'
import type { GuardRequirements } from '../../lib/types/guards.js'
import initAuth from '../../shim/index.js'
import { administers, changes, reads } from '../calls/effects.js'
import { configOf } from '../calls/own-code.js'
import { createLog } from '../support/app.js'
import { restoreClock } from '../support/clock.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import { type Answer, Browser } from '../support/http-browser.js'
import { closedAfterEach } from '../support/opened.js'
import { type Strategy, strategies } from '../support/world.js'

export const base = '/api/auth'

/** All functions of an application, by name. */
export const functions = { ...changes, ...reads, ...administers }

/** The functions of the application that its routes call, at either door. */
interface Calls {
  readonly begin: (options: BeginImpersonation) => Promise<unknown>
  readonly end: () => Promise<unknown>
  readonly start: (options: StartSessionOptions) => Promise<unknown>
  readonly account: () => Promise<unknown>
  readonly endSession: (id: string) => Promise<unknown>
  readonly endAll: (userId: string) => Promise<unknown>
  readonly disable: (userId: string) => Promise<unknown>
  /** Calls `tokens.get` as a job does, for a user. */
  readonly tokensOf: (userId: string) => Promise<unknown>
  /** Calls an entry of {@link functions}. */
  readonly call: (name: string) => unknown
}

/** An event, and its name. */
export type Heard = { readonly event: keyof EventCallbacks } & Record<string, unknown>

export interface Stage {
  readonly door: Door
  readonly isFetch: boolean
  readonly config: ServerAuthConfig
  readonly events: Heard[]
  readonly root: AdapterUser
  readonly ann: AdapterUser
  /** Returns a browser without cookies. */
  browser(): Person
  /** Returns a browser in which the administrator has begun a session of Ann. */
  impersonating(): Promise<Person>
  close(): Promise<void>
}

/** Answers a request of the application's own: what its function returns, or the type of the error. */
async function perform(calls: Calls, path: string, query: URLSearchParams): Promise<unknown> {
  const text = (name: string) => query.get(name) ?? ''
  const work: Readonly<Record<string, () => unknown>> = {
    '/begin': () => calls.begin({ userId: text('user'), reason: text('reason') }),
    '/end': () => calls.end(),
    '/sign-in': () => {
      const at = query.get('at')
      const proof = text('aal') === '2' ? ({ amr: ['pwd', 'otp'], aal: 2 } as const) : { amr: ['pwd'] }
      const user = { id: text('user') }
      return calls.start(at === null ? { user, ...proof } : { user, proofs: [{ ...proof, at: Number(at) }] })
    },
    '/account': () => calls.account(),
    '/end-session': () => calls.endSession(text('id')),
    '/end-all': () => calls.endAll(text('user')),
    '/disable': () => calls.disable(text('user')),
    '/tokens-of': () => calls.tokensOf(text('user')),
    '/call': () => calls.call(text('name')),
  }
  try {
    return { returned: (await work[path]?.()) ?? null }
  } catch (error) {
    if (error instanceof globalThis.Response) throw error
    const { type, name, status } = error as { type?: string; name: string; status?: number }
    return { thrown: type ?? name, status }
  }
}

/** The guards of the application, by their paths. */
const guards: Readonly<Record<string, GuardRequirements>> = {
  '/guarded': {},
  '/guarded-live': { live: true },
  '/guarded-own': { impersonated: false },
  '/guarded-fresh': { maxAge: 300 },
  '/guarded-twice': { aal: 2 },
}

type OpenDoor = (config: ServerAuthConfig) => Promise<Door>

const openNode: OpenDoor = (config) =>
  openExpress(config, {
    before: (app) => void app.set('trust proxy', 'loopback'),
    after(app, full) {
      const auth = defineAuth(full)
      const callsOf = (req: Request, res: Response): Calls => ({
        begin: (options) => auth.impersonation.begin(req, res, options),
        end: () => auth.impersonation.end(req, res),
        start: (options) => auth.startSession(req, res, options),
        account: () => auth.account.get(req),
        endSession: (id) => auth.sessions.end(req, id),
        endAll: (userId) => auth.sessions.endAll(userId),
        disable: (userId) => auth.users.disable(userId),
        tokensOf: (userId) => auth.tokens.get({ userId }, { provider: 'oidc' }),
        call: (name) => functions[name]?.onExpress({ req, res, config: full }),
      })
      const say = (_req: Request, res: Response) => void res.json({ inside: true })
      for (const [path, requirements] of Object.entries(guards)) app.get(path, auth.requireSession(requirements), say)
      app.get('/guarded-tokens', auth.tokens.requireConnection({ provider: 'oidc' }), say)
      app.post('/own/:path', (req, res, next) => {
        const query = new URL(req.url, 'http://localhost').searchParams
        perform(callsOf(req, res), `/${req.params.path}`, query).then((result) => void res.json(result), next)
      })
    },
  })

const openShim: OpenDoor = async (config) => {
  const log = createLog()
  const own = initAuth({ ...config, logger: log.logger })
  const calls: Calls = {
    begin: (options) => own.impersonation.begin(options),
    end: () => own.impersonation.end(),
    start: (options) => own.startSession(options),
    account: () => own.account.get(),
    endSession: (id) => own.sessions.end(id),
    endAll: (userId) => own.sessions.endAll(userId),
    disable: (userId) => own.users.disable(userId),
    tokensOf: (userId) => own.tokens.get({ provider: 'oidc' }, { userId }),
    call: (name) => functions[name]?.onFetch(own),
  }
  const inside = () => globalThis.Response.json({ inside: true })
  return openFetch(
    log,
    async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const requirements = guards[pathname]
      if (requirements) return own.auth.require(request, requirements).then(inside)
      if (pathname === '/guarded-tokens') return own.auth.requireConnection(request, { provider: 'oidc' }).then(inside)
      if (pathname === '/me') return globalThis.Response.json(await own.auth())
      if (!pathname.startsWith('/own/')) return own.handlers.GET(request)
      return globalThis.Response.json(await perform(calls, pathname.slice('/own'.length), searchParams))
    },
    { ip: '127.0.0.1' },
    { ...config, logger: log.logger },
  )
}

/** The doors by name. */
export const doors = { Express: openNode, Fetch: openShim } as const

/** A browser, and the routes of the application. */
export class Person extends Browser {
  /** Calls a function of the application. */
  async own(path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Told> {
    const target = `/own/${path}?${new URLSearchParams(query)}`
    const answer = await this.ask(target, { method: 'POST', body: '', headers: { origin: this.origin, ...headers } })
    return { ...answer.body, answer }
  }

  /** Signs a stored user in, with two factors. @param at The time of the proofs, in seconds. */
  signInAs({ id }: AdapterUser, { aal = '2', at }: { aal?: string; at?: number } = {}): Promise<Told> {
    return this.own('sign-in', { user: id, aal, ...(at !== undefined && { at: String(at) }) })
  }

  /** Returns the session of the page. */
  async me() {
    return (await this.ask('/me')).body
  }

  /** Returns a browser with the same cookies. */
  copy(): Person {
    const other = new Person(this.origin, { base })
    for (const [name, value] of this.cookies) other.cookies.set(name, value)
    return other
  }
}

/** The result of a function of the application. */
export interface Told {
  readonly returned?: ReturnType<typeof JSON.parse>
  readonly thrown?: string
  readonly status?: number
  readonly answer: Answer
}

/** Returns the option of the stage: Root may use the session of any user without rights. */
export const allow: NonNullable<ServerAuthConfig['impersonation']>['allow'] = ({ user }, { email }) =>
  user?.email === 'root@example.com' && email !== 'admin@example.com'

export async function openStage(
  name: keyof typeof doors,
  strategy: Strategy,
  over: Partial<ServerAuthConfig> = {},
): Promise<Stage> {
  const events: Heard[] = []
  const hear = <E extends keyof EventCallbacks>(event: E) => [
    event,
    (message: object) => void events.push({ ...message, event }),
  ]
  const config: ServerAuthConfig = {
    ...configOf(strategy),
    secret: `a-secret-of-the-stage-${Math.random()}-${Math.random()}`,
    impersonation: { allow },
    ...over,
    session: { strategy, data: true, revocation: strategy === 'jwt' ? { list: true } : true, ...over.session },
    events: { ...Object.fromEntries(heard.map(hear)), ...over.events },
  }
  const { adapter } = config
  if (!adapter?.createUser) throw new Error('the stage needs an adapter')
  const stored = (email: string, name: string) =>
    adapter.createUser?.({ id: '', email, name, emailVerified: new Date() }) as Promise<AdapterUser>
  const [root, ann] = [await stored('root@example.com', 'Root'), await stored('ann@example.com', 'Ann')]
  const door = await doors[name](config)
  const browser = () => new Person(door.origin, { base })
  return {
    door,
    isFetch: name === 'Fetch',
    config,
    events,
    root,
    ann,
    browser,
    async impersonating() {
      const person = browser()
      await person.signInAs(root)
      const { returned } = await person.own('begin', { user: ann.id, reason: 'ticket 7' })
      if (returned?.ok !== true) throw new Error(`it did not begin: ${JSON.stringify(returned)}`)
      return person
    },
    close: () => door.close(),
  }
}

const heard = [
  ...(['signIn', 'signOut', 'sessionEnded', 'updateUser', 'failure', 'userDisabled'] as const),
  ...(['impersonationBegan', 'impersonationEnded'] as const),
]

/** Options of a stage that differ from the usual ones. */
export type Over = Partial<ServerAuthConfig>

/** The names of the cookies of a browser with the own session. */
export const keptNames = (person: Person) => [...person.cookies.keys()].filter((name) => name.includes('impersonator'))

/** Runs a suite at each door with each strategy. */
export function everywhere(
  title: string,
  suite: (open: (over?: Over) => Promise<Stage>, strategy: Strategy) => void,
): void {
  for (const door of Object.keys(doors) as Array<keyof typeof doors>) {
    for (const strategy of strategies) {
      describe(`${title} (${door}, ${strategy} sessions)`, () => {
        afterEach(restoreClock)
        const open = (over?: Over) => openStage(door, strategy, over)
        suite(closedAfterEach(open), strategy)
      })
    }
  }
}
