/** An application whose code calls each function, with all capabilities, at each door. */
import { createServer } from 'node:http'
import type { Request, Response } from 'express'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import initAuth from '../../shim/index.js'
import { quickHasher } from '../password/stage.js'
import { createApp, createLog, credentials, secret, serve } from '../support/app.js'
import { type Door, openFetch } from '../support/doors.js'
import { administers, changes, reads } from './effects.js'

const mail: EmailConfig = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} }

/** The configuration, with all capabilities. */
export function configOf(strategy: 'jwt' | 'database'): ServerAuthConfig {
  return {
    secret,
    basePath: '/api/auth',
    adapter: memoryAdapter(),
    experimental: { enableWebAuthn: true },
    providers: [
      credentials(),
      Password({ mail, hash: quickHasher() }),
      Passkey({ relyingParty: { id: 'app.test', name: 'App', origin: 'https://app.test' } }),
      {
        ...{ id: 'oidc', name: 'OpenID', type: 'oauth', clientId: 'client', clientSecret: 'secret' },
        ...{ authorization: 'https://id.example.com/authorize', token: 'https://id.example.com/token' },
        userinfo: 'https://id.example.com/userinfo',
      },
      mail,
    ],
    factors: [Totp(), RecoveryCodes()],
    deletion: true,
    tokens: { store: memoryStore() },
    impersonation: { allow: (admin) => admin.user?.name === 'Root' },
    organizations: {
      store: true,
      owner: 'owner',
      roles: { owner: ['members:read', 'members:write', 'organization:write', 'organization:delete'] },
    },
    apiKeys: { store: true, prefix: 'acme', scopes: ['read'] },
    connections: { store: true },
    session: { strategy, data: true, revocation: true },
  }
}

const table = { ...changes, ...reads, ...administers }

/** Returns the type of an error, or its name. Throws redirects again. */
const typeOf = (error: unknown) => {
  if (error instanceof globalThis.Response) throw error
  return (error as { type?: string }).type ?? (error as Error).name
}

/**
 * Returns a value without its varying parts: dates, keys and URLs are replaced by their type. Words, numbers and the
 * names of members are compared.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (value instanceof Date || value instanceof globalThis.Response) return value.constructor.name
  if (typeof value !== 'object' || value === null) return isWord(value) ? value : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}

const isWord = (value: unknown) => typeof value !== 'string' || /^[a-z]{1,12}$/.test(value)

/** Returns the outcome of a call: the error, or `done`, or the shape of the returned value. */
async function told(call: () => unknown, wantsResult: boolean): Promise<unknown> {
  try {
    const result = await call()
    return wantsResult ? { returned: shapeOf(result) ?? null } : 'done'
  } catch (error) {
    return typeOf(error)
  }
}

/** Starts Express, whose code calls the function that the query names. */
export async function openOnExpress(strategy: 'jwt' | 'database'): Promise<Door> {
  const log = createLog()
  const config = { ...configOf(strategy), logger: log.logger }
  const app = createApp(config, {
    mount: '/api/auth',
    after: (own) => {
      own.all('/do', (req: Request, res: Response, next) => {
        const entry = table[String(req.query.call)]
        const work = () => entry?.onExpress({ req, res, config })
        told(work, 'result' in req.query).then((result) => void res.json(result), next)
      })
    },
  })
  return serve(createServer(app), config, log, '/api/auth')
}

/** Starts the shim, whose code does the same. */
export async function openOnFetch(strategy: 'jwt' | 'database'): Promise<Door> {
  const log = createLog()
  const own = initAuth({ ...configOf(strategy), logger: log.logger })
  return openFetch(log, async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/do') return own.handlers.GET(request)
    const entry = table[searchParams.get('call') ?? '']
    return globalThis.Response.json(await told(() => entry?.onFetch(own), searchParams.has('result')))
  })
}
