/**
 * Glewlwyd of Debian (`apt-get install glewlwyd`), an OpenID provider that knows RP-initiated, back-channel and front-channel
 * logout: a process of its own on a free loopback port, with its SQLite database in a temporary folder.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { freePort } from './free-ports.js'
import { type OwnProcess, startProcess } from './own-process.js'

const program = '/usr/bin/glewlwyd'
const pages = '/usr/share/glewlwyd/webapp'
const schema = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'

/** Returns the reason why it cannot be started on this machine, or `undefined` if it can. */
export function missingGlewlwyd(): string | undefined {
  return [program, pages, schema].every((path) => existsSync(path))
    ? undefined
    : 'no Glewlwyd found: apt-get install glewlwyd'
}

/** The URLs at which an application is reached by its provider. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly postLogoutUri: string
  readonly backchannelUri?: string
  readonly frontchannelUri?: string
  /** The URL of its public keys, for signed requests. */
  readonly jwksUri?: string
}

/** A browser's cookies. */
export type Jar = Map<string, string>

/** The provider, as its own pages and administrators use it. */
export interface GlewlwydProvider {
  readonly issuer: string
  readonly origin: string
  /** Returns the output of the process. */
  log(): string
  register(client: Client): Promise<void>
  /** Types name and password on the login page, agrees, and is sent back: the URL. */
  signIn(authorizationUrl: string, jar: Jar): Promise<string>
  /** Presses "Log out" on the page of the provider. */
  signOut(endSessionUrl: string, jar: Jar): Promise<SignedOut>
  close(): Promise<void>
}

/** The result of the button. */
export interface SignedOut {
  /** The pages that it loads in frames first. */
  readonly frames: readonly string[]
  /** The target of the redirect, or `undefined` if the page stays. */
  readonly next: string | undefined
}

/** The user who can sign in. */
export const person = { username: 'dora', password: 'a-long-password', name: 'Dora Example', email: 'dora@example.com' }

/** The addresses of one run. */
interface Place {
  readonly origin: string
  readonly api: string
}

/** Starts it, with one person and no client. */
export async function startGlewlwyd(): Promise<GlewlwydProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-glewlwyd-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const place = { origin, api: `${origin}/api` }
  execFileSync('sqlite3', [join(folder, 'db')], { input: tables() })
  writeFileSync(join(folder, 'conf'), configuration(folder, port))
  mkdirSync(join(folder, 'empty'))
  copyPages(join(folder, 'pages'))
  const process = await startProcess({ command: [program, `--config-file=${join(folder, 'conf')}`], port, folder })
  const admin: Jar = new Map()
  try {
    await call(place, 'POST', '/auth/', { username: 'admin', password: 'password' }, admin)
    await setUp(place, admin)
  } catch (error) {
    await process.close()
    throw error
  }
  return door(place, process, admin)
}

function door(place: Place, process: OwnProcess, admin: Jar): GlewlwydProvider {
  return {
    origin: place.origin,
    issuer: `${place.api}/oidc`,
    log: process.log,
    close: process.close,
    register: (client) => call(place, 'POST', '/client/', registration(client), admin).then(() => undefined),
    signIn: (url, jar) => signIn(place, url, jar),
    signOut: (url, jar) => signOut(place, url, jar),
  }
}

/** Its pages. The package's link to their options leads nowhere. */
function copyPages(folder: string): void {
  cpSync(pages, folder, { recursive: true, dereference: true, filter: (path) => !path.endsWith('config.json') })
  const options = { GlewlwydUrl: '/', lang: ['en'], pattern: {}, profileList: {}, sessionSchemes: [], register: [] }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(options))
}

/**
 * Returns the package's own tables. The properties of clients lack one that the plugin reads, and that an administrator
 * adds.
 */
function tables(): string {
  const packaged = '"post_logout_redirect_uri":{"multiple":false'
  const added = '"post_logout_redirect_uris":{"multiple":true'
  return readFileSync(schema, 'utf8').replace(packaged, added)
}

/** The option file. Nothing of it is the system's but programs and pages. */
function configuration(folder: string, port: number): string {
  const texts = {
    bind_address: '127.0.0.1',
    external_url: `http://localhost:${port}`,
    login_url: 'login.html',
    api_prefix: 'api',
    static_files_path: `${join(folder, 'pages')}/`,
    log_mode: 'console',
    log_level: 'DEBUG',
    cookie_domain: 'localhost',
    cookie_same_site: 'lax',
    user_module_path: '/usr/lib/glewlwyd/user',
    user_middleware_module_path: join(folder, 'empty'),
    client_module_path: '/usr/lib/glewlwyd/client',
    user_auth_scheme_module_path: '/usr/lib/glewlwyd/scheme',
    plugin_module_path: '/usr/lib/glewlwyd/plugin',
    hash_algorithm: 'SHA512',
  }
  const types = { html: 'text/html', css: 'text/css', js: 'application/javascript', json: 'application/json' }
  const mimeTypes = Object.entries(types).map(
    ([extension, type]) => `{ extension = ".${extension}" mime_type = "${type}" compress = 0 }`,
  )
  return [
    `port=${port}`,
    'cookie_secure=0',
    ...Object.entries(texts).map(([name, value]) => `${name}="${value}"`),
    `database = { type = "sqlite3" path = "${join(folder, 'db')}" };`,
    `static_files_mime_types = ( ${mimeTypes.join(', ')} )`,
    '',
  ].join('\n')
}

/** The OpenID Connect plugin, and who signs in with it. */
async function setUp(place: Place, admin: Jar): Promise<void> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }
  await call(
    place,
    'POST',
    '/mod/plugin/',
    {
      module: 'oidc',
      name: 'oidc',
      display_name: 'OpenID Connect',
      enabled: true,
      parameters: {
        iss: `${place.api}/oidc`,
        'jwks-private': JSON.stringify({ keys: [jwk] }),
        'jwks-show': true,
        'access-token-duration': 3600,
        'refresh-token-duration': 3600,
        'code-duration': 600,
        'auth-type-code-enabled': true,
        'auth-type-refresh-enabled': true,
        'pkce-allowed': true,
        'name-claim': 'mandatory',
        'email-claim': 'mandatory',
        'session-management-allowed': true,
        'session-cookie-name': 'GLEWLWYD2_OIDC_SID',
        'session-cookie-expiration': 3600,
        'front-channel-logout-allowed': true,
        'back-channel-logout-allowed': true,
        'oauth-par-allowed': true,
        'oauth-par-request_uri-prefix': 'urn:ietf:params:oauth:request_uri:',
        'oauth-par-duration': 60,
        'oauth-dpop-allowed': true,
        'oauth-dpop-iat-duration': 30,
        'request-parameter-allow': true,
        'client-jwks_uri-parameter': 'jwks_uri',
      },
    },
    admin,
  )
  await call(place, 'POST', '/user/', { ...person, scope: ['openid'], enabled: true }, admin)
}

function registration(client: Client): object {
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    name: client.clientId,
    confidential: true,
    enabled: true,
    token_endpoint_auth_method: ['client_secret_basic'],
    authorization_type: ['code', 'refresh_token'],
    redirect_uri: [client.redirectUri],
    post_logout_redirect_uris: [client.postLogoutUri],
    ...(client.jwksUri && { jwks_uri: client.jwksUri }),
    ...(client.backchannelUri && {
      backchannel_logout_uri: client.backchannelUri,
      backchannel_logout_session_required: 'true',
    }),
    ...(client.frontchannelUri && {
      frontchannel_logout_uri: client.frontchannelUri,
      frontchannel_logout_session_required: 'true',
    }),
  }
}

/* ---- what its pages do, over its own API ---------------------------------------------------------------------- */

async function signIn(place: Place, authorizationUrl: string, jar: Jar): Promise<string> {
  const login = await redirect(authorizationUrl, jar)
  // A user who is signed in already and has agreed is sent back immediately.
  if (!login.href.startsWith(`${place.origin}/login.html`)) return login.href
  const { username, password } = person
  await call(place, 'POST', '/auth/', { username, password }, jar)
  const clientId = login.searchParams.get('client_id') ?? ''
  await call(place, 'PUT', `/auth/grant/${clientId}`, { scope: 'openid' }, jar)
  const agreed = new URL(login.searchParams.get('callback_url') ?? '')
  agreed.searchParams.set('g_continue', '')
  return (await redirect(agreed.href, jar)).href
}

async function signOut(place: Place, endSessionUrl: string, jar: Jar): Promise<SignedOut> {
  const page = await redirect(endSessionUrl, jar)
  const params = Object.fromEntries(page.searchParams)
  if (params.prompt !== 'end_session') throw new Error(`Glewlwyd did not believe the id_token_hint: ${page.href}`)
  const list = `/${params.plugin}/session/${params.sid}/${params.client_id}`
  const query = new URLSearchParams({ post_redirect_to: params.post_redirect_to ?? '' })
  const { iss, sid, client = [] } = JSON.parse((await call(place, 'GET', `${list}?${query}`, undefined, jar)) || '{}')
  const frames = client.map(
    ({ frontchannel_logout_uri: uri, frontchannel_logout_session_required: isNamed }: Record<string, unknown>) =>
      `${uri}?iss=${iss}${isNamed ? `&sid=${sid}` : ''}`,
  )
  await call(place, 'DELETE', `/${params.plugin}/session/${params.sid}`, undefined, jar)
  await call(place, 'DELETE', '/auth/', undefined, jar)
  return { frames, next: params.callback_url }
}

async function redirect(url: string, jar: Jar): Promise<URL> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookies(jar) } })
  keep(jar, response)
  const location = response.headers.get('location')
  if (location === null) throw new Error(`${response.status} of ${url}: ${(await response.text()).slice(0, 500)}`)
  return new URL(location, url)
}

async function call(place: Place, method: string, path: string, body: unknown, jar: Jar): Promise<string> {
  const response = await fetch(place.api + path, {
    method,
    headers: { cookie: cookies(jar), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  keep(jar, response)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} of ${method} ${path}: ${text.slice(0, 500)}`)
  return text
}

const cookies = (jar: Jar) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

function keep(jar: Jar, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
}
