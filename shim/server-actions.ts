/** `signIn`, `signOut` and `unstable_update` for code on the server. They ask the engine; no HTTP is made up for it. */
import type { Auth } from '../lib/engine/index.js'
import type { Session } from '../lib/types/session.js'
import { type AuthorizationParams, addParams } from './authorization-params.js'
import { createCalls } from './calls.js'
import type { EngineOf } from './engine.js'
import { readOptions } from './form-options.js'
import type { AuthHost } from './host.js'
import type { SessionUpdate, SignInOptions, SignOutOptions } from './types.js'

/** The three functions, as they are before types are put on what they return. */
export interface ServerActions {
  signIn(provider?: string, options?: FormData | SignInOptions, params?: AuthorizationParams): Promise<string>
  signOut(options?: SignOutOptions): Promise<string>
  update(data: SessionUpdate): Promise<Session | null>
}

/** Makes the functions. Each rejects with an `AuthError` when it fails, after that was logged and told. */
export function createServerActions(engineOf: EngineOf<Auth>, host: AuthHost): ServerActions {
  const call = createCalls(engineOf, host)

  const leave = (to: string, redirect: boolean) => (redirect ? host.redirect(to) : to)

  return {
    async signIn(provider, options, authorizationParams) {
      const { redirect, redirectTo, fields } = readOptions(options)
      const { config, currentPage, perform, urls } = await call('signIn()')
      const callbackUrl = redirectTo ?? currentPage
      const known = provider === undefined ? undefined : config.providers.get(provider)
      if (!known) return leave(urls.endpoint('signin', undefined, { callbackUrl }), redirect)
      const params = new URLSearchParams(authorizationParams)
      const { to } = await perform({
        // Credentials prove themselves at once: there is no way to the provider and back.
        action: known.kind === 'credentials' ? 'callback' : 'signin',
        providerId: known.id,
        params,
        body: { ...fields, callbackUrl },
      })
      return leave(known.kind === 'oauth' ? addParams(to, params, config.logger) : to, redirect)
    },
    async signOut(options) {
      const { redirect, redirectTo } = readOptions(options)
      const { currentPage, perform } = await call('signOut()')
      const { to } = await perform({ action: 'signout', body: { callbackUrl: redirectTo ?? currentPage } })
      return leave(to, redirect)
    },
    async update(data) {
      const { perform } = await call('unstable_update()')
      return (await perform({ action: 'session', body: { data } })).session
    },
  }
}
