/**
 * The functions `signIn`, `signOut`, `unstable_update` and `startSession` for server code. They call the engine
 * directly, without HTTP.
 */
import { performSignIn, performSignOut, performUpdate } from '../lib/calls/perform.js'
import { readStartOptions } from '../lib/calls/start-session.js'
import type { AuthEngine } from '../lib/engine/index.js'
import type {
  AuthorizationParams,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../lib/types/calls.js'
import type { Session } from '../lib/types/session.js'
import { createCallStarter } from './calls.js'
import type { EngineResolver } from './engine.js'
import type { AuthHost } from './host.js'

/** Creates the functions. Each rejects with an `AuthError` if it fails, which is also logged and reported. */
export function createServerActions(engineOf: EngineResolver<AuthEngine>, host: AuthHost) {
  const call = createCallStarter(engineOf, host)
  const leave = ({ to, redirect }: { to: string; redirect: boolean }): string => (redirect ? host.redirect(to) : to)
  return {
    async signIn(provider?: string, options?: FormData | SignInOptions, params?: AuthorizationParams) {
      return leave(await performSignIn(await call('signIn()'), { provider, options, params }))
    },
    async signOut(options?: SignOutOptions) {
      return leave(await performSignOut(await call('signOut()'), options))
    },
    async update(data: SessionUpdate): Promise<Session | null> {
      return performUpdate(await call('unstable_update()'), data)
    },
    async startSession(options: StartSessionOptions): Promise<StartedSession> {
      const begun = await call('startSession()')
      return begun.startSession(readStartOptions(options))
    },
  }
}
