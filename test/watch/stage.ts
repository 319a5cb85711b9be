/** An application that watches sessions, at both doors and with both strategies. */
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express'
import type { WatchOptions } from '../../lib/features/watch/types.js'
import { defineAuth, type SessionRequest } from '../../lib/index.js'
import type { AdapterUser } from '../../lib/types/adapter.js'
import type { StartSessionOptions } from '../../lib/types/calls.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { complete, createLog } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'

/** The functions of the application, at either door. */
interface Calls {
  watch(onEnd: (reason: string, error?: Error) => unknown, options: WatchOptions): () => void
  start(options: StartSessionOptions): Promise<unknown>
  setActive(id: string): Promise<unknown>
  impersonate(userId: string): Promise<unknown>
  endImpersonation(): Promise<unknown>
  endOthers(): Promise<unknown>
}

/** A watch that a request has begun. */
export interface Watching {
  /** The reasons with which it ended: none, or one. */
  readonly reasons: string[]
  stop(): void
}

/** An application whose requests are watched. */
export interface WatchStage extends Door {
  readonly auth: ReturnType<typeof defineAuth>
  readonly watches: Watching[]
  /** Creates a stored user, and signs them in. */
  signIn(name: string): Promise<{ browser: Browser; user: AdapterUser }>
  /** Begins a session of a stored user in a browser of its own. */
  again(userId: string): Promise<Browser>
  /** Watches the session of a browser. */
  watch(browser: Browser, options?: WatchOptions): Promise<Watching>
}

const base = '/api/auth'

/** The error that the application throws from its function for the end of a watch. */
export const listenerFault = new Error('the listener of the test failed')

async function perform(calls: Calls, watches: Watching[], path: string, query: URLSearchParams): Promise<unknown> {
  const text = (name: string) => query.get(name) ?? ''
  if (path === '/watch') {
    const reasons: string[] = []
    const onEnd = (reason: string) => {
      reasons.push(reason)
      if (query.has('throws')) throw listenerFault
    }
    watches.push({ reasons, stop: calls.watch(onEnd, JSON.parse(text('options')) as WatchOptions) })
    return watches.length - 1
  }
  const work: Readonly<Record<string, () => Promise<unknown>>> = {
    '/start': () => calls.start({ user: { id: text('user') }, amr: ['pwd'] }),
    '/active': () => calls.setActive(text('id')),
    '/impersonate': () => calls.impersonate(text('user')),
    '/impersonate-end': () => calls.endImpersonation(),
    '/end-others': () => calls.endOthers(),
  }
  return (await work[path]?.()) ?? null
}

type OpenStage = (config: Partial<FullStackAuthConfig>) => Promise<WatchStage>

async function toStage(door: Door, watches: Watching[]): Promise<WatchStage> {
  const auth = defineAuth(door.config)
  const again = async (userId: string) => {
    const browser = door.browser()
    await browser.get(`/own/start?user=${userId}`)
    return browser
  }
  return {
    ...door,
    auth,
    watches,
    again,
    async signIn(name) {
      const created = await auth.users.create({ email: `${name}@example.com`, emailVerified: true, name })
      if (!created.ok) throw new Error(created.reason)
      return { user: created.user, browser: await again(created.user.id) }
    },
    async watch(browser, options = {}) {
      const query = new URLSearchParams({ options: JSON.stringify({ every: 1, ...options }) })
      const { body } = await browser.get(`/own/watch?${query}`)
      const watching = watches[body]
      if (!watching) throw new Error(`There is no watch: ${JSON.stringify(body)}`)
      return watching
    },
    async close() {
      for (const { stop } of watches) stop()
      await door.close()
    },
  }
}

const express: OpenStage = async (config) => {
  const watches: Watching[] = []
  const door = await openExpress(config, {
    after(app, full) {
      const auth = defineAuth(full)
      app.get('/own/:path', (req: ExpressRequest, res: ExpressResponse, next) => {
        const upgrade: SessionRequest = { headers: req.headers, socket: req.socket }
        const calls: Calls = {
          // As in the upgrade to a WebSocket: a plain request of Node, without a response.
          watch: (onEnd, options) => auth.sessions.watch(upgrade, onEnd, options),
          start: (options) => auth.startSession(req, res, options),
          setActive: (id) => auth.organizations.setActive(req, res, id),
          impersonate: (userId) => auth.impersonation.begin(req, res, { userId, reason: 'ticket 7' }),
          endImpersonation: () => auth.impersonation.end(req, res),
          endOthers: () => auth.sessions.endOthers(req),
        }
        const query = new URL(req.url, 'http://localhost').searchParams
        perform(calls, watches, `/${req.params.path}`, query).then((result) => void res.json(result), next)
      })
    },
  })
  return toStage(door, watches)
}

const shim: OpenStage = async (config) => {
  const watches: Watching[] = []
  const log = createLog()
  const full = complete({ basePath: base, ...config }, log)
  const { handlers, startSession, sessions, organizations, impersonation } = initAuth(full)
  const calls: Calls = {
    watch: (onEnd, options) => sessions.watch(onEnd, options),
    start: (options) => startSession(options),
    setActive: (id) => organizations.setActive(id),
    impersonate: (userId) => impersonation.begin({ userId, reason: 'ticket 7' }),
    endImpersonation: () => impersonation.end(),
    endOthers: () => sessions.endOthers(),
  }
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (!pathname.startsWith('/own/')) return handlers.GET(request)
    return Response.json(await perform(calls, watches, pathname.slice(4), searchParams))
  }
  return toStage(await openFetch(log, answer, { ip: '127.0.0.1' }, full), watches)
}

/** Both doors. */
export const doors = { express, shim } as const

/** Waits until a watch has ended. Returns the reason. */
export async function reasonOf({ reasons }: Watching, within = 10_000): Promise<string | undefined> {
  const until = performance.now() + within
  while (reasons.length === 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  return reasons[0]
}
