/**
 * The edge version of `server-auth/shim`, chosen by the package's `exports`. `auth` reads JWT sessions. Functions that
 * need Node throw when they are called.
 */
import { createLogger } from '../lib/base/logger.js'
import { perOwner } from '../lib/base/memory.js'
import { resolveConfig } from '../lib/config/resolve.js'
import { InvalidConfiguration } from '../lib/errors.js'
import type { ApiKeyScopeOf } from '../lib/features/api-keys/types.js'
import type { OrganizationRolesOf } from '../lib/features/organizations/types.js'
import { type AuthFunctions, mapRules } from '../lib/functions/index.js'
import { failureListener, stopLater } from '../lib/functions/stop-later.js'
import type { SessionOf, StoredUserOf } from '../lib/get-session.js'
import type { OpenResponse } from '../lib/http/response.js'
import { createReader } from '../lib/session/reader.js'
import type { FullStackAuthConfig } from '../lib/types/config.js'
import { createAuthFunction } from './auth.js'
import { createEngineResolver } from './engine.js'
import type { AuthGuards } from './guards.js'
import type { AuthHost } from './host.js'
import { requestHost } from './request-context.js'
import type { ConfigArgument, FullStackAuthResult } from './types.js'

export { AuthError, CredentialsSignin } from '../lib/errors.js'
export { customFetch, skipCSRFCheck } from '../lib/types/symbols.js'
export { withCookies } from './cookies.js'
export type { DeclaredFields, FieldsSource, KnownOptions } from './index.js'
export { requestHost, withRequest } from './request-context.js'

/** Sets up authentication like `initAuth` of `server-auth/shim`, as far as possible without Node. */
export default function initAuth<
  const C extends FullStackAuthConfig<Fields, Shown>,
  R extends Request = Request,
  Fields = unknown,
  Shown extends string = never,
>(
  config: ConfigArgument<C, Fields, Shown>,
  host: AuthHost<R> = requestHost,
): FullStackAuthResult<SessionOf<C>, R, StoredUserOf<C>, OrganizationRolesOf<C>, ApiKeyScopeOf<C>> {
  type Result = FullStackAuthResult<SessionOf<C>, R, StoredUserOf<C>, OrganizationRolesOf<C>, ApiKeyScopeOf<C>>
  const logger = createLogger(undefined, false)
  return {
    handlers: { GET: needsNode('handlers'), POST: needsNode('handlers'), OPTIONS: needsNode('handlers') },
    auth: Object.assign(createAuthFunction(createEngineResolver(config, getReader), host), guards) as Result['auth'],
    signIn: needsNode('signIn()'),
    signOut: needsNode('signOut()'),
    unstable_update: needsNode('unstable_update()'),
    startSession: needsNode('startSession()'),
    // The forms of both integrations come from one table.
    ...(mapRules(({ returns }, { caller }) => {
      const refuse = needsNode(caller)
      if (returns === 'stop') return (...given: unknown[]) => stopLater(refuse(), failureListener(given, logger.error))
      return returns === 'function' ? () => refuse : refuse
    }) as unknown as AuthFunctions<SessionOf<C>, StoredUserOf<C>>),
  }
}

/** The guards, which need Node. */
const guards: AuthGuards = {
  require: needsNode('auth.require()'),
  requireApiKey: needsNode('auth.requireApiKey()'),
  requireConnection: needsNode('auth.requireConnection()'),
  cors: needsNode('auth.cors()'),
  csrf: {
    token: needsNode('auth.csrf.token()'),
    field: needsNode('auth.csrf.field()'),
    verify: needsNode('auth.csrf.verify()'),
    assertOrigin: needsNode('auth.csrf.assertOrigin()'),
  },
}

const getReader = perOwner((config: FullStackAuthConfig) => {
  const resolved = resolveConfig(config, undefined, true)
  if (resolved.session.revocation) {
    throw new InvalidConfiguration(
      'An edge runtime does not know which sessions have ended. Run this code on the Node.js runtime, or remove `session.revocation` from the configuration of the edge, where ended sessions then stay valid until they expire.',
    )
  }
  if (resolved.session.strategy === 'jwt') return createReader(resolved, beforeHostHeaders)
  throw new InvalidConfiguration(
    'An edge runtime reads JWT sessions only. Run this code on the Node.js runtime (in Next.js: `proxy.ts`, or `export const runtime = "nodejs"`), or set `session: { strategy: "jwt" }`.',
  )
})

/** Calls back before the headers of a host's response are sent, by replacing the method that writes them. */
function beforeHostHeaders(response: OpenResponse, callback: (open: OpenResponse) => void): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (status) => {
    callback(response)
    return writeHead(status)
  }
}

function needsNode(what: string): () => Promise<never> {
  return async () => {
    throw new Error(
      `${what} of server-auth needs Node.js, but this is an edge runtime. Only auth() and getToken() work here.`,
    )
  }
}
