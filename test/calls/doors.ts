/** An application whose own code signs in and out, through each of the two doors: Express, and the shim behind a Fetch server. */

import { createServer } from 'node:http'
import type { Request } from 'express'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { UserFunctions } from '../../lib/functions/users.js'
import * as onExpress from '../../lib/index.js'
import { type AccountOverview, getSession, requireSession, type ServerAuthConfig } from '../../lib/index.js'
import type {
  AuthorizationParams,
  SessionDataChange,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../../lib/types/calls.js'
import type { Outcome } from '../../lib/types/outcome.js'
import type { Session } from '../../lib/types/session.js'
import initAuth from '../../shim/index.js'
import { type AppOptions, createApp, createLog, credentials, secret, serve } from '../support/app.js'
import { type Door, openFetch } from '../support/doors.js'

/** The functions that an application's code can call for the current request. */
export interface Calls {
  signIn(provider?: string, options?: FormData | SignInOptions, params?: AuthorizationParams): Promise<string | void>
  signOut(options?: SignOutOptions): Promise<string | void>
  update(patch: SessionUpdate): Promise<Session | null>
  setSessionData(change: SessionDataChange): Promise<Session | null>
  startSession(options: StartSessionOptions): Promise<StartedSession>
  session(): Promise<Session | null>
  account(): Promise<AccountOverview | null>
  endSession(id: string): Promise<Outcome<'unknown'>>
  endOtherSessions(): Promise<number>
  endSessionsOf(userId: string): Promise<void>
  disableUser(userId: string): Promise<void>
  enableUser(userId: string): Promise<void>
  /** Calls a function of `users` by its name, for the request. */
  administer(name: keyof UserFunctions, args: readonly unknown[]): Promise<unknown>
  /**
   * Checks whether the guard that queries the store allows the request; otherwise the guard answers it. Only Express
   * has one.
   */
  live?(): Promise<boolean>
}

/** The application's code at `/do`. What it returns is the answer, in JSON, unless a call has answered. */
export type Work = (calls: Calls) => Promise<unknown>

type Config = Partial<ServerAuthConfig>

/** Opens a door to an application with the routes on `/api/auth`, and the code on `/do`. */
export type OpenDoor = (config: Config, work: Work) => Promise<Door>

function complete(config: Config, log: ReturnType<typeof createLog>): ServerAuthConfig {
  return { secret, providers: [credentials()], logger: log.logger, basePath: '/api/auth', ...config }
}

/** Describes an error as an application's error handler may do. */
const faultOf = (error: unknown) => ({ type: (error as { type?: string }).type, name: (error as Error).name })

/** Opens the door of Express. */
export async function expressDoor(config: Config, work: Work, options: AppOptions = {}): Promise<Door> {
  const log = createLog()
  const full = complete(config, log)
  const app = createApp(full, {
    mount: '/api/auth',
    after: (own) => {
      own.all('/do', (req, res, next) => {
        work(expressCalls(req, full))
          .catch((error: unknown) => (res.headersSent ? next(error) : void res.status(500).json(faultOf(error))))
          .then((result) => void (res.headersSent || res.json(result ?? null)), next)
      })
    },
    ...options,
  })
  return serve(createServer(app), full, log, '/api/auth')
}

function expressCalls(req: Request, config: ServerAuthConfig): Calls {
  const { res } = req
  if (!res) throw new Error('Express sets it')
  return {
    signIn: (provider, options, params) => onExpress.signIn(req, res, config, provider, options, params),
    signOut: (options) => onExpress.signOut(req, res, config, options),
    update: (patch) => onExpress.update(req, res, config, patch),
    setSessionData: (change) => expressFunctions(config).sessions.setData(req, res, change),
    startSession: (options) => onExpress.startSession(req, res, config, options),
    session: () => getSession(req, config),
    account: () => expressFunctions(config).account.get(req),
    endSession: (id) => expressFunctions(config).sessions.end(req, id),
    endOtherSessions: () => expressFunctions(config).sessions.endOthers(req),
    endSessionsOf: (userId) => expressFunctions(config).sessions.endAll(userId),
    disableUser: (userId) => expressFunctions(config).users.disable(userId),
    enableUser: (userId) => expressFunctions(config).users.enable(userId),
    administer: (name, args) => callByName(expressFunctions(config).users, name, [...args, req]),
    live: () =>
      new Promise((resolve, reject) => {
        res.once('finish', () => resolve(false))
        requireSession(config, { live: true })(req, res, (error?: unknown) => (error ? reject(error) : resolve(true)))
      }),
  }
}

const callByName = (functions: object, name: string, args: readonly unknown[]): Promise<unknown> =>
  Reflect.apply(Reflect.get(functions, name), functions, args)

/** Opens the door of the shim. */
export async function shimDoor(config: Config, work: Work): Promise<Door> {
  const log = createLog()
  const own = initAuth(complete(config, log))
  const calls: Calls = {
    signIn: (provider, options, params) => own.signIn(provider, options, params),
    signOut: (options) => own.signOut(options),
    update: (patch) => own.unstable_update(patch),
    setSessionData: own.sessions.setData,
    startSession: own.startSession,
    session: () => own.auth(),
    account: own.account.get,
    endSession: own.sessions.end,
    endOtherSessions: own.sessions.endOthers,
    endSessionsOf: own.sessions.endAll,
    disableUser: own.users.disable,
    enableUser: own.users.enable,
    administer: (name, args) => callByName(own.users, name, args),
  }
  return openFetch(log, async (request) => {
    if (new URL(request.url).pathname !== '/do') return own.handlers.GET(request)
    try {
      return Response.json((await work(calls)) ?? null)
    } catch (error) {
      // A redirect is thrown.
      if (error instanceof Response) throw error
      return Response.json(faultOf(error), { status: 500 })
    }
  })
}

/** Both doors by name. */
export const doors: ReadonlyArray<readonly [name: string, open: OpenDoor]> = [
  ['Express', expressDoor],
  ['the shim', shimDoor],
]
