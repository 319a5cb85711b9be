/** An application with organizations, at both doors and with each kind of session: guards, and calls of its own code. */
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { OrganizationQueries, OrganizationRequirement } from '../../lib/features/organizations/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { requireSession, type ServerAuthConfig, startSession } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { GuardRequirements } from '../../lib/types/guards.js'
import initAuth from '../../shim/index.js'
import { complete, createLog } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'
import { closedAfterEach } from '../support/opened.js'

/** The kinds of sessions. Without an adapter the application knows its users, and the library stores none. */
export const kinds = {
  'jwt sessions': () =>
    ({ adapter: memoryAdapter(), session: { strategy: 'jwt', revocation: memoryStore() } }) as const,
  'jwt sessions without an adapter': () => ({ session: { strategy: 'jwt', revocation: memoryStore() } }) as const,
  'database sessions': () => ({ adapter: memoryAdapter(), session: { strategy: 'database' } }) as const,
} satisfies Record<string, () => Partial<ServerAuthConfig>>

export const roles = { owner: ['notes:read', 'notes:write'], member: ['notes:read'], guest: [] } as const

/** The tables of the application, and the calls of its functions. */
export class Tables {
  /** The role by user and organization. */
  readonly #members = new Map<string, Map<string, string>>()
  /** The calls of `membership`. */
  readonly asked: string[] = []
  /** Replaces the answer of `membership`. */
  answer: ((userId: string, id: string) => unknown) | undefined
  /** Replaces the answer of `list`. */
  listed: (() => unknown) | undefined

  set(userId: string, id: string, role: string | undefined): void {
    const of = this.#members.get(userId) ?? new Map<string, string>()
    if (role === undefined) of.delete(id)
    else of.set(id, role)
    this.#members.set(userId, of)
  }

  /** The option of the configuration. */
  option(more: Partial<OrganizationQueries> = {}): OrganizationQueries {
    return {
      roles,
      membership: (userId, id) => {
        this.asked.push(`${userId} ${id}`)
        if (this.answer) return this.answer(userId, id) as null
        const role = this.#members.get(userId)?.get(id)
        return Promise.resolve(role === undefined ? null : { role })
      },
      list: (userId) => {
        if (this.listed) return this.listed() as []
        return [...(this.#members.get(userId) ?? new Map()).keys()].map((id) => ({
          id,
          name: `${id.toUpperCase()} <Inc>`,
        }))
      },
      ...more,
    }
  }
}

type Requirements = GuardRequirements & Omit<OrganizationRequirement, 'organization'>

/** The guards of `/org/<id>/<name>` and of `/active/<name>`. */
export const guards: Readonly<Record<string, Requirements>> = {
  any: {},
  owner: { role: 'owner' },
  staff: { role: ['owner', 'member'] },
  write: { permission: 'notes:write' },
  live: { live: true },
  'write-fresh': { permission: 'notes:write', maxAge: 300 },
}

/** An application. */
export interface Stage extends Door {
  readonly tables: Tables
  /** Signs a user in. Returns the browser and the id of the user. */
  signIn(username?: string): Promise<{ browser: Browser; userId: string }>
}

/** Opens a door. */
export type OpenStage = (config?: Partial<FullStackAuthConfig>, tables?: Tables) => Promise<Stage>

const toStage = (door: Door, tables: Tables): Stage => ({
  ...door,
  tables,
  async signIn(username = 'ann') {
    const browser = door.browser()
    await signInAs(door, browser, username)
    return { browser, userId: (await browser.session('/api/auth')).user.id }
  },
})

/** Signs a user in: by the application's own proof if users are stored, otherwise with a password. */
export async function signInAs({ config }: Pick<Door, 'config'>, browser: Browser, username: string): Promise<void> {
  if (config.adapter) await browser.get(`/start?email=${username}@example.com`)
  else await browser.signIn({ username }, '/api/auth')
}

const full = (config: Partial<FullStackAuthConfig>, tables: Tables) => ({ organizations: tables.option(), ...config })

const express: OpenStage = async (config = {}, tables = new Tables()) => {
  const door = await openExpress(full(config, tables), {
    after(app, own) {
      const { organizations } = expressFunctions(own)
      const say = (_req: ExpressRequest, res: ExpressResponse) => void res.json(res.locals.organization ?? null)
      for (const [name, requirements] of Object.entries(guards)) {
        const byPath = requireSession(own, { organization: (req) => req.params.org, ...requirements })
        app.all(`/org/:org/${name}`, byPath, say)
        app.all(`/twice/:org/${name}`, requireSession(own, { organization: (req) => req.params.org }), byPath, say)
        app.all(`/active/${name}`, requireSession(own, { organization: true, ...requirements }), say)
      }
      app.get('/query', requireSession(own, { organization: (req) => req.query.org }), say)
      app.all('/set', (req, res, next) => {
        const id = 'none' in req.query ? null : (req.query.id as string)
        organizations.setActive(req, res, id).then((outcome) => res.json(outcome), next)
      })
      app.get('/start', (req, res, next) => {
        const user = { email: String(req.query.email), emailVerified: true as const }
        const proof = { user, amr: ['otp'] }
        startSession(req, res, own, proof).then((started) => res.json(started), next)
      })
      app.all('/forget', (req, res, next) => {
        organizations.forget(String(req.query.user)).then(() => res.json({}), next)
      })
    },
  })
  return toStage(door, tables)
}

const shim: OpenStage = async (config = {}, tables = new Tables()) => {
  const log = createLog()
  const own = complete({ basePath: '/api/auth', ...full(config, tables) }, log)
  const { handlers, auth, organizations, startSession: start } = initAuth(own)
  const say = ({ organization }: { organization?: unknown }) => Response.json(organization ?? null)
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const [, first = '', second = '', third = ''] = pathname.split('/').map(decodeURIComponent)
    if (first === 'org') return say(await auth.require(request, { organization: () => second, ...guards[third] }))
    if (first === 'twice') {
      await auth.require(request, { organization: () => second })
      return say(await auth.require(request, { organization: () => second, ...guards[third] }))
    }
    if (first === 'active') return say(await auth.require(request, { organization: true, ...guards[second] }))
    if (first === 'query') {
      const all = searchParams.getAll('org')
      return say(await auth.require(request, { organization: () => (all.length > 1 ? all : all[0]) }))
    }
    if (first === 'set')
      return Response.json(
        await organizations.setActive(
          searchParams.has('none') ? null : ((searchParams.get('id') ?? undefined) as string),
        ),
      )
    if (first === 'start') {
      return Response.json(
        await start({ user: { email: searchParams.get('email') ?? '', emailVerified: true }, amr: ['otp'] }),
      )
    }
    if (first === 'forget') return Response.json((await organizations.forget(searchParams.get('user') ?? '')) ?? {})
    return handlers.GET(request)
  }
  const door = await openFetch(
    log,
    (request) =>
      answer(request).catch((error: unknown) => {
        if (error instanceof Response) return error
        return Response.json({ type: (error as { type?: string }).type }, { status: 500 })
      }),
    { ip: '127.0.0.1' },
    own,
  )
  return toStage(door, tables)
}

/** Both doors. */
export const doors = { express, shim } as const

/** Defines a suite for each door and each kind of session. */
export function atEach(title: string, suite: (open: OpenStage, of: { door: string; kind: string }) => void): void {
  for (const [door, open] of Object.entries(doors)) {
    for (const [kind, config] of Object.entries(kinds)) {
      describe(`${title} (${door}, ${kind})`, () => {
        const openStage: OpenStage = (more = {}, tables) => {
          const own = config()
          return open({ ...own, ...more, session: { ...own.session, ...more.session } }, tables)
        }
        suite(closedAfterEach(openStage), { door, kind })
      })
    }
  }
}
