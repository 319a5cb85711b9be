/**
 * The contract, held to what is published for it: each provider of `@auth/core` as it is shipped is taken by this library,
 * and sends the browser where it says.
 */
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { EmailConfig, OAuthConfig, Provider } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useMailStage } from '../flows/email/stage.js'
import { createLog, secret, startApp, target } from '../support/app.js'
import { linkIn } from '../support/mail-server.js'
import { thrownBy } from '../support/rejection.js'

const folder = new URL('../../node_modules/@auth/core/providers/', import.meta.url)

/** Files without a provider. */
const types = ['index', 'oauth', 'provider-types']
/** Providers that import a package for the passkeys of that library. Our passkeys come with a flow of their own. */
const passkeys = ['passkey', 'webauthn']
/** Sign-in by form and by e-mail: no authorization URL. */
const others = [
  'credentials',
  'email',
  'forwardemail',
  'loops',
  'mailgun',
  'nodemailer',
  'postmark',
  'resend',
  'sendgrid',
]

/** The required options of some, beside id, secret and issuer. */
const required: Readonly<Record<string, object>> = {
  // The issuer is put before a path without a slash between them.
  osso: { issuer: 'https://issuer.test/' },
  // As shipped it has no userinfo endpoint, and its documentation asks for one.
  netsuite: { accountID: '123', userinfo: 'https://123.restlets.api.netsuite.com/app/site/hosting/restlet.nl' },
  notion: { redirectUri: 'https://app.test/auth/callback/notion' },
  workos: { connection: 'conn_1' },
}

/**
 * Plain OAuth: where the browser is sent, without what each request has. A scope is there only where the provider has one.
 */
const plain: Readonly<Record<string, string>> = {
  '42-school': 'https://api.intra.42.fr/oauth/authorize?scope=public',
  atlassian: 'https://auth.atlassian.com/authorize?audience=api.atlassian.com&scope=read:me',
  'azure-devops': 'https://app.vssps.visualstudio.com/oauth2/authorize?scope=vso.profile&response_type=Assertion',
  bitbucket: 'https://bitbucket.org/site/oauth2/authorize?scope=account',
  box: 'https://account.box.com/api/oauth2/authorize',
  'boxyhq-saml': 'https://issuer.test/api/oauth/authorize?provider=saml',
  bungie: 'https://www.bungie.net/en/OAuth/Authorize?reauth=true',
  'click-up': 'https://app.clickup.com/api',
  coinbase: 'https://login.coinbase.com/oauth2/auth?scope=wallet:user:email+wallet:user:read',
  concept2: 'https://log.concept2.com/oauth/authorize?scope=user:read,results:write',
  discord: 'https://discord.com/api/oauth2/authorize?scope=identify+email',
  dribbble: 'https://dribbble.com/oauth/authorize',
  dropbox: 'https://www.dropbox.com/oauth2/authorize?token_access_type=offline&scope=account_info.read',
  eventbrite: 'https://www.eventbrite.com/oauth/authorize?scope=user.profile',
  eveonline: 'https://login.eveonline.com/v2/oauth/authorize?scope=publicData',
  facebook: 'https://www.facebook.com/v19.0/dialog/oauth?scope=email',
  faceit: 'https://accounts.faceit.com/accounts?redirect_popup=true',
  figma: 'https://www.figma.com/oauth?scope=files:read',
  foursquare: 'https://foursquare.com/oauth2/authenticate',
  freshbooks: 'https://auth.freshbooks.com/service/auth/oauth/authorize',
  github: 'https://github.com/login/oauth/authorize?scope=read:user+user:email',
  gitlab: 'https://gitlab.com/oauth/authorize?scope=read_user',
  hubspot: 'https://app.hubspot.com/oauth/authorize?scope=oauth',
  instagram: 'https://api.instagram.com/oauth/authorize?scope=user_profile',
  kakao: 'https://kauth.kakao.com/oauth/authorize?scope=',
  mailchimp: 'https://login.mailchimp.com/oauth2/authorize',
  mailru: 'https://oauth.mail.ru/login?scope=userinfo',
  mastodon: 'https://issuer.test/oauth/authorize?scope=read',
  mattermost: 'https://issuer.test/oauth/authorize',
  medium: 'https://medium.com/m/oauth/authorize?scope=basicProfile',
  naver: 'https://nid.naver.com/oauth2.0/authorize',
  netlify: 'https://app.netlify.com/authorize?scope=',
  netsuite: 'https://123.app.netsuite.com/app/login/oauth2/authorize.nl?scope=restlets+rest_webservices',
  nextcloud: 'https://issuer.test/apps/oauth2/authorize',
  notion: 'https://api.notion.com/v1/oauth/authorize?owner=user',
  osso: 'https://issuer.test/oauth/authorize',
  osu: 'https://osu.ppy.sh/oauth/authorize?scope=identify',
  patreon: 'https://www.patreon.com/oauth2/authorize?scope=identity+identity[email]',
  pinterest: 'https://www.pinterest.com/oauth?scope=user_accounts:read',
  pipedrive: 'https://oauth.pipedrive.com/oauth/authorize',
  reddit: 'https://www.reddit.com/api/v1/authorize?scope=identity',
  spotify: 'https://accounts.spotify.com/authorize?scope=user-read-email',
  strava: 'https://www.strava.com/api/v3/oauth/authorize?scope=read&approval_prompt=auto',
  threads: 'https://threads.net/oauth/authorize?scope=threads_basic',
  tiktok: 'https://www.tiktok.com/v2/auth/authorize?client_key=client&scope=user.info.basic',
  todoist: 'https://todoist.com/oauth/authorize?scope=data:read',
  trakt: 'https://trakt.tv/oauth/authorize?scope=',
  twitter: 'https://x.com/i/oauth2/authorize?scope=users.read+tweet.read+offline.access',
  vk: 'https://oauth.vk.com/authorize?scope=email&v=5.131',
  webex: 'https://webexapis.com/v1/authorize?scope=spark:kms+spark:people_read',
  wechat: 'https://open.weixin.qq.com/connect/oauth2/authorize?appid=client&scope=snsapi_userinfo',
  wikimedia: 'https://meta.wikimedia.org/w/rest.php/oauth2/authorize?scope=',
  wordpress: 'https://public-api.wordpress.com/oauth2/authorize?scope=auth',
  workos: 'https://api.workos.com/sso/authorize?connection=conn_1',
  yandex: 'https://oauth.yandex.ru/authorize?scope=login:info+login:email+login:avatar',
  zoho: 'https://accounts.zoho.com/oauth/v2/auth?scope=AaaServer.profile.Read',
  zoom: 'https://zoom.us/oauth/authorize?scope=',
}

const standard = 'scope=openid+profile+email'

/** OpenID Connect: the discovery document that is read, and the query where it is not the standard one. */
const discovered: Readonly<Record<string, string | readonly [document: string, query: string]>> = {
  apple: ['https://appleid.apple.com/.well-known/openid-configuration', 'scope=name+email&response_mode=form_post'],
  asgardeo: 'https://issuer.test/oauth2/token/.well-known/openid-configuration',
  auth0: 'https://issuer.test/.well-known/openid-configuration',
  authentik: 'https://issuer.test/.well-known/openid-configuration',
  'azure-ad-b2c': 'https://issuer.test/.well-known/openid-configuration',
  'azure-ad': [
    'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
    'scope=openid+profile+email+User.Read',
  ],
  'bankid-no': [
    'https://auth.bankid.no/auth/realms/prod/.well-known/openid-configuration',
    'scope=openid+profile+email&ui_locales=no&login_hint=BIS',
  ],
  battlenet: 'https://issuer.test/.well-known/openid-configuration',
  beyondidentity: 'https://issuer.test/.well-known/openid-configuration',
  cognito: 'https://issuer.test/.well-known/openid-configuration',
  descope: 'https://api.descope.com/client/.well-known/openid-configuration',
  'duende-identity-server6': 'https://issuer.test/.well-known/openid-configuration',
  frontegg: 'https://issuer.test/oauth/.well-known/openid-configuration',
  fusionauth: ['https://issuer.test/.well-known/openid-configuration', 'scope=openid+offline_access+email+profile'],
  google: 'https://accounts.google.com/.well-known/openid-configuration',
  huggingface: 'https://huggingface.co/.well-known/openid-configuration',
  'identity-server4': 'https://issuer.test/.well-known/openid-configuration',
  keycloak: 'https://issuer.test/.well-known/openid-configuration',
  kinde: 'https://issuer.test/.well-known/openid-configuration',
  line: 'https://access.line.me/.well-known/openid-configuration',
  linkedin: 'https://www.linkedin.com/oauth/.well-known/openid-configuration',
  logto: ['https://issuer.test/.well-known/openid-configuration', 'scope=offline_access+openid+email+profile'],
  'microsoft-entra-id': [
    'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
    'scope=openid+profile+email+User.Read',
  ],
  okta: 'https://issuer.test/.well-known/openid-configuration',
  onelogin: 'https://issuer.test/oidc/2/.well-known/openid-configuration',
  'ory-hydra': 'https://issuer.test/.well-known/openid-configuration',
  passage: 'https://issuer.test/.well-known/openid-configuration',
  'ping-id': 'https://issuer.test/.well-known/openid-configuration',
  roblox: ['https://apis.roblox.com/oauth/.well-known/openid-configuration', 'scope=openid+profile'],
  salesforce: 'https://login.salesforce.com/.well-known/openid-configuration',
  simplelogin: 'https://app.simplelogin.io/.well-known/openid-configuration',
  slack: 'https://slack.com/.well-known/openid-configuration',
  twitch: [
    'https://id.twitch.tv/oauth2/.well-known/openid-configuration',
    'scope=openid+user:read:email&claims=%7B%22id_token%22:%7B%22email%22:null,%22picture%22:null,%22preferred_username%22:null%7D%7D',
  ],
  'united-effects': [
    'https://issuer.test/.well-known/openid-configuration',
    'scope=openid+email+profile&resource=https://issuer.test',
  ],
  vipps: [
    'https://api.vipps.no/access-management-1.0/access/.well-known/openid-configuration',
    'scope=openid+name+email',
  ],
  zitadel: 'https://issuer.test/.well-known/openid-configuration',
}

/** Providers that turn PKCE off. */
const withoutPkce = [
  'apple',
  'atlassian',
  'click-up',
  'eveonline',
  'figma',
  'line',
  'linkedin',
  'netsuite',
  'reddit',
  'slack',
  'threads',
  'wechat',
]

async function published(file: string): Promise<(options?: object) => unknown> {
  return (await import(new URL(`${file}.js`, folder).href)).default
}

/** A discovery document as the provider would write it. */
function discovery(document: string, issuer: string | undefined): object {
  return {
    issuer: document.includes('microsoftonline.com') ? 'https://login.microsoftonline.com/{tenantid}/v2.0' : issuer,
    authorization_endpoint: 'https://op.test/authorize',
    token_endpoint: 'https://op.test/token',
    jwks_uri: 'https://op.test/keys',
  }
}

/** Returns the redirect of the browser, without its random values, and the documents that were read before. */
async function begin(file: string, { issuer }: { issuer: boolean }) {
  const documents: string[] = []
  const answer = async (input: string | URL | Request) => {
    documents.push(String(input))
    const { issuer = (provider.options as OAuthConfig).issuer } = provider
    return Response.json(discovery(String(input), issuer))
  }
  const create = await published(file)
  const provider = create({
    clientId: 'client',
    clientSecret: 'a-client-secret',
    ...(issuer && { issuer: 'https://issuer.test' }),
    ...required[file],
    [customFetch]: answer,
  }) as OAuthConfig
  const app = await startApp({ providers: [provider as Provider] })
  try {
    const url = new URL(target(await app.browser().submit(`/auth/signin/${provider.id}`)))
    expect(app.log.errors).to.deep.equal([])
    const { client_id, redirect_uri, response_type, ...query } = Object.fromEntries(url.searchParams)
    expect({ client_id, redirect_uri }).to.deep.equal({
      client_id: 'client',
      redirect_uri: `${app.origin}/auth/callback/${provider.id}`,
    })
    const { state, nonce, code_challenge, code_challenge_method, ...own } = query
    expect(state).to.match(/^[\w-]{43}$/)
    expect(code_challenge_method).to.equal(code_challenge && 'S256')
    const random = { nonce: nonce !== undefined, pkce: code_challenge !== undefined }
    return { documents, address: url.origin + url.pathname, response_type, own, ...random }
  } finally {
    await app.close()
  }
}

const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text))

describe('providers published in @auth/core', () => {
  it('are all in the tables of this test', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
    const known = [...types, ...passkeys, ...others, ...Object.keys(plain), ...Object.keys(discovered)]
    expect(files.map((file) => file.replace('.js', '')).sort()).to.deep.equal(known.sort())
  })

  for (const [file, expected] of Object.entries(plain)) {
    it(`${file} sends to its own address`, async () => {
      const url = new URL(expected)
      const { response_type: responseType = 'code', ...own } = queryOf(url.search)
      expect(await begin(file, { issuer: url.hostname === 'issuer.test' })).to.deep.equal({
        documents: [],
        address: url.origin + url.pathname,
        response_type: responseType,
        own,
        nonce: false,
        pkce: !withoutPkce.includes(file),
      })
    })
  }

  for (const [file, expected] of Object.entries(discovered)) {
    it(`${file} redirects to the address of the discovery document`, async () => {
      const [document, query] = typeof expected === 'string' ? [expected, standard] : expected
      expect(await begin(file, { issuer: new URL(document).hostname === 'issuer.test' })).to.deep.equal({
        documents: [document],
        // One of them knows its address by itself.
        address: file === 'frontegg' ? 'https://issuer.test/oauth/authorize' : 'https://op.test/authorize',
        response_type: 'code',
        own: queryOf(query),
        nonce: true,
        pkce: !withoutPkce.includes(file),
      })
    })
  }

  const clientOnly = { clientId: 'client', clientSecret: 'a-client-secret' }
  const construct = (provider: unknown, env: Readonly<Record<string, string>> = {}) => {
    const config = { providers: [provider as Provider], secret, adapter: memoryAdapter(), logger: createLog().logger }
    return resolveConfig(config, readEnv(env)).providers
  }

  // The reference library refuses todoist, too; its `userinfo.request` is all that is needed.
  it('say at construction what they lack as shipped: netsuite its userinfo, mastodon an issuer', async () => {
    const netsuite = (await published('netsuite'))({ ...clientOnly, accountID: '123' })
    expect(thrownBy(() => construct(netsuite)).message).to.match(/"netsuite": `userinfo` is missing/)
    const mastodon = (await published('mastodon'))(clientOnly)
    expect(thrownBy(() => construct(mastodon)).message).to.match(/authorization`.* not "undefined/)
  })

  it('take what they need from the environment, as functions', async () => {
    const env = { AUTH_GITHUB_ID: 'id of the environment', AUTH_GITHUB_SECRET: 'secret of the environment' }
    const [github] = construct(await published('github'), env).values()
    expect(github).to.include({ clientId: 'id of the environment', clientSecret: 'secret of the environment' })
    const [resend] = construct(await published('resend'), { AUTH_RESEND_KEY: 'key of the environment' }).values()
    expect(resend).to.have.nested.property('config.apiKey', 'key of the environment')
  })

  it('take forms and mails, too', async () => {
    for (const file of others) {
      const create = await published(file)
      const options = { apiKey: 'key', from: 'hello@example.com', server: 'smtp://mail.test', transactionalId: 'id' }
      const [resolved] = construct(create(file === 'credentials' ? { authorize: () => null } : options)).values()
      expect(resolved).to.include({ kind: file === 'credentials' ? 'credentials' : 'email' })
    }
  })
})

describe('mail services published in @auth/core', () => {
  const stage = useMailStage()
  const { fetch } = globalThis
  const sent: Array<{ url: string; headers: Headers; body: Record<string, unknown> }> = []
  beforeEach(() => {
    sent.length = 0
    globalThis.fetch = async (input, init) => {
      sent.push({ url: String(input), headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) })
      return Response.json({})
    }
  })
  afterEach(() => {
    globalThis.fetch = fetch
  })

  for (const [file, url, recipients, textOf] of [
    ['resend', 'https://api.resend.com/emails', { to: 'ann@example.com' }, ({ text }: Body) => text],
    [
      'sendgrid',
      'https://api.sendgrid.com/v3/mail/send',
      { personalizations: [{ to: [{ email: 'ann@example.com' }] }] },
      ({ content }: Body) => content?.[0]?.value,
    ],
  ] as const) {
    it(`${file} mails a link that signs in, by its own \`sendVerificationRequest\``, async () => {
      const create = await published(file)
      const provider = create({ apiKey: 'key_1', from: 'hello@example.com' }) as EmailConfig
      await stage.restart({}, { providers: [provider] })
      await stage.ask('ann@example.com', { provider: file })
      await stage.settled()
      expect(stage.logged()).to.deep.equal([])
      expect(sent.map((request) => request.url)).to.deep.equal([url])
      const [request] = sent
      expect(request?.headers.get('authorization')).to.equal('Bearer key_1')
      expect(request?.body).to.deep.include(recipients)
      const text = textOf(request?.body as Body) ?? ''
      await stage.expectSignedIn(await stage.browser.get(linkIn({ text })), 'ann@example.com')
    })
  }
})

interface Body {
  readonly text?: string
  readonly content?: ReadonlyArray<{ readonly value: string }>
}
