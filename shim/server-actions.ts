/** `signIn`, `signOut` and `unstable_update` for code on the server. They ask the engine; no HTTP is made up for it. */
import { isRecord } from '../lib/base/guards.js'
import type { Logger } from '../lib/base/logger.js'
import type { Auth } from '../lib/engine/index.js'
import { protocolParams, providerParams } from '../lib/flows/oauth/request-params.js'
import type { Session } from '../lib/types/session.js'
import { createCalls } from './calls.js'
import type { EngineOf } from './engine.js'
import type { AuthHost } from './host.js'
import type { AuthorizationParams, SessionUpdate, SignInOptions, SignOutOptions } from './types.js'

/** Makes the functions. Each rejects with an `AuthError` when it fails, after that was logged and told. */
export function createServerActions(engineOf: EngineOf<Auth>, host: AuthHost) {
  const call = createCalls(engineOf, host)
  const leave = (to: string, redirect: boolean): string => (redirect ? host.redirect(to) : to)
  return {
    async signIn(provider?: string, options?: FormData | SignInOptions, authorizationParams?: AuthorizationParams) {
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
    async signOut(options?: SignOutOptions) {
      const { redirect, redirectTo, fields } = readOptions(options)
      const { currentPage, perform } = await call('signOut()')
      const { federated } = fields
      const { to } = await perform({ action: 'signout', body: { callbackUrl: redirectTo ?? currentPage, federated } })
      return leave(to, redirect)
    },
    async update(data: SessionUpdate): Promise<Session | null> {
      const { perform } = await call('unstable_update()')
      return (await perform({ action: 'session', body: { data } })).session
    },
  }
}

/**
 * The provider's URL with the parameters. What the application's own code says counts more than the configuration; what is
 * the protocol's own stays as it is. `max_age` goes another way, as a query of the sign-in: the answer is checked against it.
 */
function addParams(to: string, params: URLSearchParams, logger: Logger): string {
  const url = new URL(to)
  for (const [name, value] of params) {
    if (protocolParams.has(name) || providerParams.has(name)) {
      logger.warn('authorization-params', `signIn() cannot set the parameter ${JSON.stringify(name)}: it is left out.`)
    } else if (name !== 'max_age') {
      url.searchParams.set(name, value)
    }
  }
  return url.href
}

/* ---- options: an object of the application's, or a form that a person sent ---------------------------------------- */

/**
 * Reads options. Only code may ask for no redirect: what a form says comes from a stranger. `redirectTo` is not validated yet;
 * `fields` has everything else, in a record without a prototype.
 */
function readOptions(given: unknown) {
  const options = isForm(given) ? readForm(given) : isRecord(given) ? given : {}
  const { redirect, redirectTo, callbackUrl, csrfToken: _token, ...others } = options
  const fields: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(others)) if (value !== undefined) fields[name] = value
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return { redirect: isForm(given) || redirect !== false, redirectTo: [redirectTo, callbackUrl].find(isText), fields }
}

function isForm(value: unknown): value is FormData {
  return isRecord(value) && typeof value.getAll === 'function' && typeof value.entries === 'function'
}

/** As a body is read: a name that comes several times has a list. Files and a framework's own fields are left out. */
function readForm(form: FormData): Record<string, unknown> {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith('$ACTION'))
  const entries = names.map((name): [string, unknown] => {
    const values = form.getAll(name).filter((value) => typeof value === 'string')
    return [name, values.length > 1 ? values : values[0]]
  })
  return Object.fromEntries(entries)
}
