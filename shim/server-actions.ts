/**
 * The functions `signIn`, `signOut`, `unstable_update` and `startSession` for server code. They call the engine
 * directly, without HTTP.
 */
import { signInBy, signOutBy, updateBy } from '../lib/calls/actions.js'
import { readStartOptions } from '../lib/calls/start-session.js'
import type { Auth } from '../lib/engine/index.js'
import type {
  AuthorizationParams,
  SessionUpdate,
  SignInOptions,
  SignOutOptions,
  StartedSession,
  StartSessionOptions,
} from '../lib/types/calls.js'
import type { Session } from '../lib/types/session.js'
import { createCalls } from './calls.js'
import type { EngineOf } from './engine.js'
import type { AuthHost } from './host.js'

/** Creates the functions. Each rejects with an `AuthError` if it fails, which is also logged and reported. */
export function createServerActions(engineOf: EngineOf<Auth>, host: AuthHost) {
  const call = createCalls(engineOf, host)
  const leave = ({ to, redirect }: { to: string; redirect: boolean }): string => (redirect ? host.redirect(to) : to)
  return {
    async signIn(provider?: string, options?: FormData | SignInOptions, params?: AuthorizationParams) {
      return leave(await signInBy(await call('signIn()'), { provider, options, params }))
    },
    async signOut(options?: SignOutOptions) {
      return leave(await signOutBy(await call('signOut()'), options))
    },
    async update(data: SessionUpdate): Promise<Session | null> {
      return updateBy(await call('unstable_update()'), data)
    },
    async startSession(options: StartSessionOptions): Promise<StartedSession> {
      const begun = await call('startSession()')
      return begun.startSession(readStartOptions(options))
    },
  }
}
