/**
 * The two doors, with routes of an application's own beside ours: all functions that return the signed-in user, guards,
 * and its own sign-in method.
 */

import type { Request, Response } from 'express'
import { expressFunctions } from '../../lib/functions/on-express.js'

import {
  type CurrentProofOptions,
  getSession,
  requireSession,
  type ServerAuthConfig,
  type Session,
  type StartSessionUserOptions,
  startSession,
} from '../../lib/index.js'
import { getToken } from '../../lib/jwt.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { GuardRequirements } from '../../lib/types/guards.js'
import initAuth from '../../shim/index.js'
import { createLog } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'

/** Opens a door for a stage. */
export type OpenDoor = (config: FullStackAuthConfig) => Promise<Door>

/** Returns the proof of the application for a query: `user`, and if present `amr` and `maxAge`. */
function proofOf(query: URLSearchParams): StartSessionUserOptions & CurrentProofOptions {
  const [amr, maxAge] = [query.get('amr') ?? 'pwd', query.get('maxAge')]
  return {
    user: { id: query.get('user') ?? '' },
    amr: amr.split(' ').filter(Boolean),
    ...(maxAge !== null && { maxAge: Number(maxAge) }),
  }
}

const queryOf = (req: Request) => new URL(req.url, 'http://localhost').searchParams

/** The guarded routes, with their requirements. */
const guards: Readonly<Record<string, GuardRequirements & { allow?: (session: Session) => boolean }>> = {
  '/guarded': {},
  '/guarded-twice': { aal: 2 },
  '/guarded-fresh': { maxAge: 300 },
  '/guarded-for-bob': {
    allow: ({ user }) => user?.email === 'bob@example.com',
    aal: 2,
    maxAge: 300,
    amr: ['otp', 'mfa'],
  },
  '/guarded-by-fresh-key': { amr: ['hwk', 'swk'], maxAge: 300 },
  '/guarded-by-key': { amr: ['hwk', 'swk'] },
}

/** Creates an `allow` that starts a session with two factors for the user of the query, in the same request. */
const replaceSession = (config: ServerAuthConfig) => async (_session: Session, req: Request) => {
  if (!req.res) return false
  const { started } = await startSession(req, req.res, config, { ...proofOf(queryOf(req)), aal: 2 })
  return started
}

const express: OpenDoor = (config) =>
  openExpress(config, {
    after(app, full) {
      const say = (_req: Request, res: Response) => void res.json({ inside: true })
      for (const [path, requirements] of Object.entries(guards)) app.all(path, requireSession(full, requirements), say)
      app.get('/guarded-replacing', requireSession(full, { allow: replaceSession(full), aal: 2 }), say)
      app.get('/by-session', (req, res, next) => void getSession(req, full).then((found) => res.json(found), next))
      app.get('/by-token', (req, res, next) => {
        void getToken({ req, secret: full.secret }).then((found) => res.json(found), next)
      })
      app.get(
        '/by-account',
        (req, res, next) =>
          void expressFunctions(full)
            .account.get(req)
            .then((found) => res.json(found), next),
      )
      app.get('/end-others', (req, res, next) => {
        void expressFunctions(full)
          .sessions.endOthers(req)
          .then((ended) => res.json(ended), next)
      })
      app.get('/own-sign-in', (req, res, next) => {
        void startSession(req, res, full, proofOf(queryOf(req))).then((started) => res.json(started), next)
      })
    },
  })

const shim: OpenDoor = async (config) => {
  const log = createLog()
  const own = initAuth({ ...config, logger: log.logger })
  const { handlers, auth } = own
  const say = (found: Promise<unknown>) => found.then((each) => Response.json(each ?? null))
  return openFetch(
    log,
    (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/by-session') return say(auth())
      if (pathname === '/by-account') return say(own.account.get())
      if (pathname === '/by-token') return say(getToken({ req: request, secret: config.secret }))
      if (pathname === '/end-others') return say(own.sessions.endOthers())
      if (pathname === '/own-sign-in') return say(own.startSession(proofOf(searchParams)))
      const allow = async () => (await own.startSession({ ...proofOf(searchParams), aal: 2 })).started
      const requirements = pathname === '/guarded-replacing' ? { allow, aal: 2 as const } : guards[pathname]
      if (!requirements) return handlers.GET(request)
      return auth.require(request, requirements).then(() => Response.json({ inside: true }))
    },
    { ip: '127.0.0.1' },
  )
}

export const doors = { express, shim } as const
