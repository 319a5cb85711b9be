/**
 * LemonLDAP::NG of Debian, an OpenID and SAML provider in Perl that knows RP-initiated and front-channel logout: a process of its
 * own on a free loopback port, with configuration and sessions as files in a temporary folder.
 */
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnProcess, startProcess } from './own-process.js'
import { providerKey } from './saml-keys.js'

const portal = '/usr/share/lemonldap-ng/portal'
const needed = ['/usr/bin/plackup', portal, '/usr/share/perl5/IO/String.pm', '/usr/share/perl5/String/Random.pm']

/** Returns the reason why it cannot be started on this machine, or `undefined` if it can. */
export function missingLemonldap(): string | undefined {
  const packages = 'liblemonldap-ng-portal-perl libio-string-perl libstring-random-perl'
  return needed.every((path) => existsSync(path)) ? undefined : `no LemonLDAP::NG found: apt-get install ${packages}`
}

/** Returns the reason why it cannot be a SAML provider on this machine, or `undefined` if it can. */
export function missingLemonldapSaml(): string | undefined {
  const { status } = spawnSync('perl', ['-MLasso', '-e', '1'], { stdio: 'ignore' })
  return missingLemonldap() ?? (status === 0 ? undefined : 'no Lasso found: apt-get install liblasso-perl')
}

/** An application. The provider reads them when it starts. */
export interface LemonldapClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly postLogoutUri: string
  readonly frontchannelUri?: string
}

/** An application that uses SAML. */
export interface LemonldapService {
  /** The metadata of the service provider. */
  readonly metadata: string
}

/** The form that the provider's page posts to the application. */
export interface SamlForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** A browser's cookies. */
export type Jar = Map<string, string>

/** The provider, as its own pages are used. */
export interface LemonldapProvider {
  readonly origin: string
  /** Returns the output of the process. */
  log(): string
  /** Fills in the login page, and is sent back: the URL. */
  signIn(authorizationUrl: string, jar: Jar): Promise<string>
  /** Fills in the login page of a SAML sign-in: the form that a script of the next page posts. */
  signInForSaml(url: string, jar: Jar): Promise<SamlForm>
  /** Says "yes" on the page that asks whether to sign out. */
  signOut(endSessionUrl: string, jar: Jar): Promise<SignedOut>
  close(): Promise<void>
}

/** The result of the confirmation. */
export interface SignedOut {
  /** The pages of applications that its page loads in frames. */
  readonly frames: readonly string[]
  /** The target of the redirect, or `undefined` if the page stays. */
  readonly next: string | undefined
}

/** The user who can sign in, from its demonstration. */
export const person = { username: 'dwho', name: 'Doctor Who', email: 'dwho@badwolf.org' }

/** Starts it. */
export async function startLemonldap(
  port: number,
  clients: readonly LemonldapClient[],
  services: readonly LemonldapService[] = [],
): Promise<LemonldapProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-lemonldap-'))
  const origin = `http://localhost:${port}`
  for (const name of ['conf', 'sessions/lock', 'persistent/lock', 'perl/XML'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(
    join(folder, 'conf/lmConf-1.json'),
    JSON.stringify({ ...configuration({ folder, origin, clients }), ...samlConfiguration(services) }),
  )
  writeFileSync(join(folder, 'local.ini'), localOptions(folder))
  // Its SAML module loads XML::Simple, which only service providers use.
  writeFileSync(join(folder, 'perl/XML/Simple.pm'), 'package XML::Simple; 1;')
  const server = ['-s', 'HTTP::Server::PSGI', '-E', 'deployment', '-o', '127.0.0.1', '-p', String(port)]
  const process: OwnProcess = await startProcess({
    command: ['/usr/bin/plackup', ...server, join(portal, 'htdocs/index.psgi')],
    env: { LLNG_DEFAULTCONFFILE: join(folder, 'local.ini'), PERL5LIB: join(folder, 'perl') },
    port,
    folder,
  })
  return {
    origin,
    log: process.log,
    close: process.close,
    signIn: (url, jar) => signIn(url, jar),
    signInForSaml: (url, jar) => signInForSaml(url, jar),
    signOut: (url, jar) => signOut(url, jar),
  }
}

/** Returns the paths of the other options, without files of `/etc`. */
function localOptions(folder: string): string {
  return `[all]
logger = Lemonldap::NG::Common::Logger::Std
userLogger = Lemonldap::NG::Common::Logger::Std
logLevel = info
checkTime = 0
[configuration]
type = File
dirName = ${join(folder, 'conf')}
localStorage = Cache::NullCache
localStorageOptions = {}
[portal]
staticPrefix = /static
templateDir = ${join(portal, 'templates')}
languages = en
[handler]
status = 0
`
}

function configuration({
  folder,
  origin,
  clients,
}: {
  readonly folder: string
  readonly origin: string
  readonly clients: readonly LemonldapClient[]
}): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const files = (name: string) => ({ Directory: join(folder, name), LockDirectory: join(folder, name, 'lock') })
  const generateModule = 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256'
  return {
    cfgNum: 1,
    cfgVersion: '2.16.1',
    cfgAuthor: 'tests',
    cfgDate: 1,
    domain: 'localhost',
    portal: `${origin}/`,
    authentication: 'Demo',
    userDB: 'Same',
    passwordDB: 'Null',
    registerDB: 'Null',
    // Packages that are not needed: pictures to read, mails.
    captcha: '::Main::Plugin',
    captcha_mail_enabled: 0,
    captcha_register_enabled: 0,
    portalDisplayResetPassword: 0,
    portalDisplayRegister: 0,
    cookieName: 'lemonldap',
    securedCookie: 0,
    key: 'a-key-of-the-tests',
    whatToTrace: 'uid',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    exportedVars: {},
    locationRules: {},
    exportedHeaders: {},
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: { ...files('sessions'), generateModule },
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: files('persistent'),
    localSessionStorage: 'Cache::NullCache',
    localSessionStorageOptions: {},
    tokenUseGlobalStorage: 1,
    issuerDBOpenIDConnectActivation: '1',
    issuerDBOpenIDConnectPath: '^/oauth2/',
    issuerDBOpenIDConnectRule: '1',
    oidcServiceMetaDataIssuer: origin,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
    oidcServiceKeyIdSig: 'first',
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcRPMetaDataOptions: Object.fromEntries(clients.map((client) => [client.clientId, registration(client)])),
    oidcRPMetaDataExportedVars: Object.fromEntries(
      clients.map(({ clientId }) => [clientId, { name: 'cn', email: 'mail' }]),
    ),
  }
}

function registration(client: LemonldapClient): object {
  const options = {
    ClientID: client.clientId,
    ClientSecret: client.clientSecret,
    RedirectUris: client.redirectUri,
    PostLogoutRedirectUris: client.postLogoutUri,
    IDTokenSignAlg: 'RS256',
    IDTokenExpiration: 3600,
    IDTokenForceClaims: 1,
    BypassConsent: 1,
    RequirePKCE: 1,
    ...(client.frontchannelUri && {
      LogoutUrl: client.frontchannelUri,
      LogoutType: 'front',
      LogoutSessionRequired: 1,
    }),
  }
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [`oidcRPMetaDataOptions${name}`, value]))
}

function samlConfiguration(services: readonly LemonldapService[]): object {
  if (services.length === 0) return {}
  const perService = <Value>(of: (service: LemonldapService) => Value) =>
    Object.fromEntries(services.map((service, index) => [`service${index}`, of(service)]))
  return {
    issuerDBSAMLActivation: '1',
    // Its default with SAML is `None`, which browsers reject without https.
    sameSite: 'Lax',
    samlServicePrivateKeySig: providerKey.privateKey,
    samlServicePublicKeySig: providerKey.certificate,
    samlServiceUseCertificateInResponse: 1,
    samlSPMetaDataXML: perService(({ metadata }) => ({ samlSPMetaDataXML: metadata })),
    samlSPMetaDataExportedAttributes: perService(() => ({ cn: '1;displayName;;' })),
    samlSPMetaDataOptions: perService(() => ({
      samlSPMetaDataOptionsNameIDFormat: 'persistent',
      samlSPMetaDataOptionsCheckSSOMessageSignature: 0,
      samlSPMetaDataOptionsSignSSOMessage: 1,
      samlSPMetaDataOptionsEnableIDPInitiatedURL: 1,
    })),
  }
}

/* ---- its pages, as a browser without scripts uses them --------------------------------------------------------- */

async function signIn(url: string, jar: Jar): Promise<string> {
  const page = await visit(url, jar)
  // A user who is signed in already is sent back immediately.
  if (page.next !== undefined) return page.next
  const { username } = person
  const end = await visit(url, jar, { ...hiddenFields(page.text), user: username, password: username })
  if (end.next === undefined) throw new Error(`nobody was signed in: ${end.text}`)
  return end.next
}

async function signInForSaml(url: string, jar: Jar): Promise<SamlForm> {
  const page = await visit(url, jar)
  const isLogin = page.text.includes('name="password"')
  const { username } = person
  const login = { ...hiddenFields(page.text), user: username, password: username }
  const { text } = isLogin ? await visit(url, jar, login) : page
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1]
  if (action === undefined) throw new Error(`no form: ${text}`)
  return { action: decode(action), fields: hiddenFields(text) }
}

async function signOut(url: string, jar: Jar): Promise<SignedOut> {
  const page = await visit(url, jar)
  const end = page.next === undefined ? await visit(url, jar, hiddenFields(page.text)) : page
  const frames = [...end.text.matchAll(/<iframe src="([^"]+)"/g)].map(([, src = '']) => decode(src))
  const link = /<form[^>]* action="(http[^"]+)"/.exec(end.text)?.[1]
  return { frames, next: end.next ?? (link === undefined ? undefined : decode(link)) }
}

async function visit(url: string, jar: Jar, form?: Record<string, string>): Promise<{ text: string; next?: string }> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  const text = await response.text()
  if (response.status >= 400) throw new Error(`${response.status} of ${url}: ${text.slice(0, 2000)}`)
  const next = response.headers.get('location')
  return { text, ...(next !== null && { next: new URL(next, url).href }) }
}

function hiddenFields(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input [^>]*type="hidden"[^>]* name="([^"]+)"(?: value="([^"]*)")?/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, decode(value)]))
}

const decode = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
