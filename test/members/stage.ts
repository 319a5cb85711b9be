/** An application with stored organizations, at both doors: each function by `GET /call/<name>?args=[…]`, and guards. */
import { expect } from 'chai'
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { MemberFunctions } from '../../lib/features/members/functions.js'
import type { OrganizationFunctions } from '../../lib/features/organizations/functions.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { requireSession, startSession } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { EmailConfig, VerificationRequest } from '../../lib/types/provider.js'
import initAuth from '../../shim/index.js'
import { complete, createLog } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { closedAfterEach } from '../support/opened.js'

export const base = '/api/auth'

export const roles = {
  owner: ['members:read', 'members:write', 'organization:write', 'organization:delete', 'notes:write'],
  admin: ['members:read', 'members:write', 'notes:write'],
  member: ['members:read'],
  guest: [],
} as const

/** The kinds of sessions. */
export const kinds = {
  'jwt sessions': () =>
    ({ adapter: memoryAdapter(), session: { strategy: 'jwt', revocation: memoryStore() } }) as const,
  'database sessions': () =>
    ({ adapter: memoryAdapter(), session: { strategy: 'database', revocation: memoryStore() } }) as const,
} satisfies Record<string, () => Partial<FullStackAuthConfig>>

type Name = keyof MemberFunctions | 'setActive' | 'forget'

/** A user in a browser. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly browser: Browser
  /** Calls a function. @throws if it throws. */
  call<N extends Name>(name: N, ...args: unknown[]): Promise<Awaited<ReturnType<OrganizationFunctions[N]>>>
  /** Calls a function, and returns the response. */
  ask(name: Name, ...args: unknown[]): Promise<Answer>
  /** Returns the status of a page of an organization, with its guard. */
  guard(organization: string, name?: 'any' | 'write'): Promise<number>
}

export interface MemberStage extends Door {
  readonly mails: VerificationRequest[]
  readonly changes: Array<Record<string, unknown>>
  /** Signs a user in. @param verified Whether the address is. */
  person(name: string, verified?: boolean): Promise<Person>
  stranger(): Browser
  /** Returns the token of the last mail to an address. */
  tokenOf(email: string): Promise<string>
}

export type OpenMembers = (config?: Partial<FullStackAuthConfig>) => Promise<MemberStage>

export const option = { store: true, roles, owner: 'owner' } as const

function configOf(mails: VerificationRequest[], changes: unknown[], config: Partial<FullStackAuthConfig>) {
  const email: EmailConfig = {
    ...{ id: 'email', name: 'Email', type: 'email' },
    sendVerificationRequest: (mail) => void mails.push(mail),
  }
  return {
    providers: [email],
    organizations: option,
    ...config,
    events: { organizationChanged: (message: object) => void changes.push({ ...message }), ...config.events },
  }
}

/** Returns the arguments of a call. */
const argsOf = (text: string | null): unknown[] => JSON.parse(text ?? '[]') as unknown[]

const any = { organization: (req: ExpressRequest) => req.params.org }

const express: OpenMembers = async (config = {}) => {
  const [mails, changes]: [VerificationRequest[], MemberStage['changes']] = [[], []]
  const door = await openExpress(configOf(mails, changes, config), {
    after(app, own) {
      const functions = expressFunctions(own).organizations as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >
      const say = (_req: ExpressRequest, res: ExpressResponse) => void res.json(res.locals.organization)
      app.get('/org/:org/any', requireSession(own, any), say)
      app.get('/org/:org/write', requireSession(own, { ...any, permission: 'notes:write' }), say)
      app.all('/call/:name', (req, res) => {
        const args = argsOf(req.query.args as string)
        const { name } = req.params
        const before =
          name === 'setActive' ? [req, res] : ['admit', 'dismiss', 'listOf', 'forget'].includes(name) ? [] : [req]
        functions[name]?.(...before, ...args).then(
          (result) => res.json(result ?? null),
          (error: { type?: string; status?: number }) => res.status(error.status ?? 500).json({ type: error.type }),
        )
      })
      app.get('/start', (req, res, next) => {
        const { user: id, email } = req.query
        const user = id ? { id: String(id) } : { email: String(email), emailVerified: true as const }
        startSession(req, res, own, { user, amr: ['otp'] }).then((started) => res.json(started), next)
      })
    },
  })
  return toStage(door, mails, changes)
}

const shim: OpenMembers = async (config = {}) => {
  const [mails, changes]: [VerificationRequest[], MemberStage['changes']] = [[], []]
  const log = createLog()
  const own = complete({ basePath: base, ...configOf(mails, changes, config) }, log)
  const { handlers, auth, organizations, startSession: start } = initAuth(own)
  const functions = organizations as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const [, first = '', second = '', third = ''] = pathname.split('/').map(decodeURIComponent)
    if (first === 'org') {
      const permission = third === 'write' ? { permission: 'notes:write' } : {}
      await auth.require(request, { organization: () => second, ...permission })
      return Response.json({})
    }
    if (first === 'call') return Response.json((await functions[second]?.(...argsOf(searchParams.get('args')))) ?? null)
    if (first === 'start') {
      const [id, email = ''] = [searchParams.get('user'), searchParams.get('email') ?? '']
      return Response.json(await start({ user: id ? { id } : { email, emailVerified: true }, amr: ['otp'] }))
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
  return toStage(door, mails, changes)
}

function toStage(door: Door, mails: VerificationRequest[], changes: MemberStage['changes']): MemberStage {
  return {
    ...door,
    mails,
    changes,
    stranger: () => door.browser(),
    async person(name, verified = true) {
      const browser = door.browser()
      const email = `${name}@example.com`
      // A user with an unverified address, who signed up elsewhere.
      const claimed = verified
        ? undefined
        : await door.config.adapter?.createUser?.({ id: name, email, emailVerified: null })
      await browser.get(`/start?user=${claimed?.id ?? ''}&email=${encodeURIComponent(email)}`)
      const { id } = (await browser.session(base)).user
      const ask = (call: Name, ...args: unknown[]) =>
        browser.get(`/call/${call}?args=${encodeURIComponent(JSON.stringify(args))}`)
      return {
        ...{ id, email, browser, ask },
        async call(call, ...args) {
          const given = await ask(call, ...args)
          expect(given.status, `${call}: ${JSON.stringify(given.body)}`).to.equal(200)
          return given.body
        },
        guard: async (organization, guard = 'any') => (await browser.get(`/org/${organization}/${guard}`)).status,
      }
    },
    async tokenOf(email) {
      for (let tries = 0; tries < 200; tries += 1) {
        const mail = mails.findLast((each) => each.identifier === email)
        if (mail) return mail.token
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error(`There is no mail to ${email}.`)
    },
  }
}

/** Both doors. */
export const doors = { express, shim } as const

/** Defines a suite for each door and each kind of session. */
export function atEach(title: string, suite: (open: OpenMembers) => void): void {
  for (const [door, open] of Object.entries(doors)) {
    for (const [kind, config] of Object.entries(kinds)) {
      describe(`${title} (${door}, ${kind})`, () => {
        const openStage: OpenMembers = (more = {}) => {
          const own = config()
          return open({ ...own, ...more, session: { ...own.session, ...more.session } })
        }
        suite(closedAfterEach(openStage))
      })
    }
  }
}

/** Creates an organization of a user. Returns its id. */
export async function createBy(owner: Person, name = 'Acme'): Promise<string> {
  const created = await owner.call('create', { name })
  if (!created.ok) throw new Error(created.reason)
  return created.organization.id
}

/** Makes a user a member. */
export async function admit(by: Person, organization: string, person: Person, role: keyof typeof roles) {
  const outcome = await by.call('admit', { organization, userId: person.id, role })
  expect(outcome).to.include({ ok: true })
}

/** Accepts an invitation with the form of its page. */
export async function accept(browser: Browser, token: string): Promise<Answer> {
  return browser.post(`${base}/invitation`, { csrfToken: await browser.csrf(base), token })
}
