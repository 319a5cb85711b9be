/**
 * An OpenID provider for tests: `oidc-provider`, which is certified, on a port of this machine. It implements the
 * protocol; this file adds users, a page to choose one of them, and failures.
 */

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Provider as OidcProvider } from 'oidc-provider'
import { isUrl } from '../base/url.js'
import { InvalidConfiguration, toError } from '../errors.js'
import { assertTests } from './assert-tests.js'
import { alwaysPrompt, providerConfiguration } from './provider-configuration.js'
import { errorPage, loginPage, type ProviderUser, readFormBody, sendPage } from './provider-pages.js'
import { signInAtProvider } from './provider-sign-in.js'
import { withoutWarnings } from './without-warnings.js'

export type { ProviderUser } from './provider-pages.js'

/**
 * The behaviour of the provider. `well`: normal. `deny`: the user presses "Cancel" instead of signing in. `slow`: each
 * response takes a second and a half. `down`: each connection is closed without a response.
 */
export type ProviderMode = 'well' | 'deny' | 'slow' | 'down'

/** Options of {@link openIdProvider}. */
export interface OpenIdProviderOptions {
  /** The users who can sign in. Default: Alice and Bob, with verified addresses at `example.com`. */
  readonly users?: readonly ProviderUser[]
  /** Default 0: any free port. */
  readonly port?: number
  /** Settings of `oidc-provider` that replace the defaults: token lifetimes (`ttl`), more `clients`, `features`. */
  readonly configuration?: Readonly<Record<string, unknown>>
}

/** A running provider. */
export interface TestOpenIdProvider {
  /** The issuer identifier, a URL of this machine. */
  readonly issuer: string
  /** For the provider in your configuration: `{ id: 'company', name: 'Company', type: 'oidc', ...provider.settings }`. */
  readonly settings: {
    /** The issuer identifier. */
    readonly issuer: string
    /** The id of a registered client. */
    readonly clientId: string
    /** The secret of that client. */
    readonly clientSecret: string
  }
  /** It can be set at any time. */
  mode: ProviderMode
  /**
   * Signs a user in as a browser does: opens the provider's page and chooses the user.
   *
   * @param url The URL to which your application redirected: the `Location` of its response.
   * @param sub The user's `sub`. Default: the first user.
   * @returns Your callback URL with the provider's response. With the mode `deny` it has `error=access_denied`.
   * @throws Error if the provider shows an error instead.
   */
  signIn(url: string, sub?: string): Promise<string>
  /** Stops listening. */
  close(): Promise<void>
}

const defaultUsers: readonly ProviderUser[] = [
  { sub: 'alice', name: 'Alice', email: 'alice@example.com', email_verified: true },
  { sub: 'bob', name: 'Bob', email: 'bob@example.com', email_verified: true },
]

/** In milliseconds. */
const slowResponseTime = 1500

/**
 * Starts an OpenID provider on this machine. It needs the package `oidc-provider` (version 9). Clients may have any
 * callback URL on this machine; consent is given automatically; refresh tokens are issued for `offline_access`, and
 * each works once.
 *
 * @throws InvalidConfiguration with `NODE_ENV=production`, without `oidc-provider`, and for invalid users; Error for a
 *   port that is in use.
 *
 * @example
 * ```ts
 * const provider = await openIdProvider({ users: [{ sub: 'ann', name: 'Ann' }] })
 * const config = { providers: [{ id: 'company', name: 'Company', type: 'oidc', ...provider.settings }] }
 * provider.mode = 'deny'
 * await provider.close()
 * ```
 */
export async function openIdProvider(options: OpenIdProviderOptions = {}): Promise<TestOpenIdProvider> {
  assertTests('openIdProvider')
  const { users = defaultUsers, port = 0, configuration = {} } = options
  assertUsers(users)
  const oidc = await loadOidcProvider()
  const client = { clientId: 'test-client', clientSecret: randomBytes(32).toString('base64url') }
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  const issuer = await listen(server, port)

  const provider = await withoutWarnings(
    () =>
      new oidc.Provider(issuer, {
        ...providerConfiguration({ issuer, users, client, policy: alwaysPrompt(oidc) }),
        ...configuration,
      }),
  )
  allowLocalRedirects(provider)
  const handle = provider.callback()
  const state: { mode: ProviderMode } = { mode: 'well' }
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    const selectableUsers = state.mode === 'deny' ? [] : users
    answerInteraction(provider, { users, selectableUsers }, request, response).catch((thrown) =>
      sendPage(response, 400, errorPage(toError(thrown).message)),
    )
  }
  answer = (request, response) => {
    if (state.mode === 'down') request.socket.destroy()
    else if (state.mode === 'slow') setTimeout(() => serve(request, response), slowResponseTime)
    else serve(request, response)
  }

  return {
    issuer,
    settings: { issuer, ...client },
    get mode() {
      return state.mode
    },
    set mode(mode) {
      state.mode = mode
    },
    async signIn(url, sub = users[0]?.sub ?? '') {
      if (!users.some((user) => user.sub === sub)) {
        throw new Error(
          `The provider has no user with the \`sub\` "${sub}": ${users.map((user) => user.sub).join(', ')}.`,
        )
      }
      return signInAtProvider(issuer, url, sub)
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

function assertUsers(users: readonly ProviderUser[]): void {
  const subs = users.map(({ sub }) => sub)
  const isRight = subs.length > 0 && subs.every((sub) => typeof sub === 'string' && sub !== '')
  if (isRight && new Set(subs).size === subs.length) return
  throw new InvalidConfiguration('`users` of openIdProvider must be a list of users, each with its own `sub`.')
}

/**
 * Shows the users for GET, and chooses one for POST. If the application requests consent (`prompt=consent`) it is
 * given.
 */
async function answerInteraction(
  provider: OidcProvider,
  {
    users,
    selectableUsers,
  }: { readonly users: readonly ProviderUser[]; readonly selectableUsers: readonly ProviderUser[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'consent') {
    const grant = new provider.Grant({ clientId: String(params.client_id), accountId: session?.accountId ?? '' })
    grant.addOIDCScope(String(params.scope))
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
  }
  if (request.method === 'GET') return sendPage(response, 200, loginPage(users))
  const form = new URLSearchParams(await readFormBody(request))
  const user = selectableUsers.find(({ sub }) => sub === form.get('sub'))
  const result = user
    ? { login: { accountId: user.sub, remember: false } }
    : { error: 'access_denied', error_description: 'The user pressed Cancel.' }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/**
 * Allows any redirect URI on this machine, because the application's port is known only after its start. A public
 * provider must not do that.
 */
function allowLocalRedirects(provider: OidcProvider): void {
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed: (url: string) =>
      isUrl(url) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname),
  })
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.')
  // The application is opened as localhost. Another host name separates the cookies of the two.
  return `http://127.0.0.1:${address.port}`
}

async function loadOidcProvider(): Promise<typeof import('oidc-provider')> {
  try {
    return await withoutWarnings(() => import('oidc-provider'))
  } catch (thrown) {
    throw new InvalidConfiguration(
      'openIdProvider needs the package oidc-provider: npm install --save-dev oidc-provider@9',
      {
        err: toError(thrown),
      },
    )
  }
}
