/** Mistakes of a setup that many developers make: the message names the value that is wrong, then the remedy. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { defineAuth, type ServerAuthConfig } from '../lib/index.js'
import Google from '../lib/providers/google.js'
import { withEnv } from './shim/stage.js'
import { credentials, secret } from './support/app.js'
import { type Door, doors } from './support/doors.js'
import { startLoopbackServer } from './support/loopback-server.js'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.js'

const google = { clientId: 'id', clientSecret: 'Zq8-client-secret' }
const acme = { id: 'acme', name: 'Acme', type: 'oidc' as const, clientId: 'id', clientSecret: 'Zq8-client-secret' }

/** Returns the message of the error of a configuration. */
function messageOf(config: object): string {
  try {
    defineAuth({ secret, providers: [credentials()], ...config } as ServerAuthConfig)
  } catch (error) {
    return String(error)
  }
  return 'nothing was thrown'
}

describe('messages about a configuration', () => {
  for (const name of ['callbackURL', 'callbackUrl', 'redirectURI', 'redirect_uri']) {
    it(`name the URL to register for ${name} of a provider`, () => {
      const options: object = { ...google, [name]: 'https://app.example.com/google/callback' }
      expect(messageOf({ providers: [Google(options)] })).to.equal(
        `InvalidConfiguration: \`providers.google.${name}\` is not an option, because the site and the id of the provider set the URL. Remove it, and register \`<site>/auth/callback/google\` at the provider instead.`,
      )
    })
  }

  const ofBetterAuth = {
    emailAndPassword: [{ enabled: true }, /Add the provider `Password\(\{ mail \}\)`/],
    plugins: [[], /Use the option or the provider of each capability/],
    socialProviders: [{ google }, /`providers: \[Google\]`/],
  } as const
  for (const [name, [value, says]] of Object.entries(ofBetterAuth)) {
    it(`name the equivalent of ${name} of Better Auth`, () => {
      expect(messageOf({ [name]: value }))
        .to.match(says)
        .and.contain(`\`${name}\` is an option of Better Auth.`)
    })
  }

  for (const end of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
    it(`tell the issuer from its metadata (${end})`, async () => {
      const issuer = `https://sso.example.com/realms/x${end}`
      expect(messageOf({ providers: [{ ...acme, issuer }] })).to.equal(
        'InvalidConfiguration: `providers.acme.issuer` is the URL of the provider\'s metadata, not the issuer. Set it to "https://sso.example.com/realms/x".',
      )
      await withEnv({ AUTH_ACME_ISSUER: issuer }, async () => {
        expect(messageOf({ providers: [acme] })).to.contain('`AUTH_ACME_ISSUER` is the URL of')
      })
    })
  }

  it('name the variable of another library, if it has the only secret', async () => {
    const env = { AUTH_SECRET: undefined, NEXTAUTH_SECRET: 'u7Jq2vXk9TzLr4WcN8mYd1HgBf6PsEa3', NODE_ENV: 'production' }
    await withEnv({ ...env, AUTH_URL: 'https://app.example.com' }, async () => {
      expect(messageOf({ secret: undefined })).to.contain(
        'NEXTAUTH_SECRET is set, but only AUTH_SECRET is read. Rename NEXTAUTH_SECRET to AUTH_SECRET.',
      )
    })
    await withEnv({ ...env, AUTH_SECRET: secret, AUTH_URL: 'https://app.example.com' }, async () => {
      expect(messageOf({ secret: undefined })).to.equal('nothing was thrown')
    })
  })
})

describe('the message of an old Node.js', () => {
  it('names the oldest version that works, before anything else is loaded', async () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })"
    const root = fileURLToPath(new URL('..', import.meta.url))
    for (const door of ['server-auth', 'server-auth/shim', 'server-auth/next']) {
      const args = ['--input-type=module', '--eval', `${old}\nawait import('${door}')`]
      const printed = await new Promise<string>((resolve) => {
        execFile(process.execPath, args, { cwd: root }, (_error, _stdout, stderr) => resolve(stderr))
      })
      expect(printed, door).to.contain(
        'Node.js 18.20.8 is not supported by server-auth. Install Node.js 20.19 or later.',
      )
    }
  })
})

for (const [name, start] of doors) {
  describe(`messages about requests (${name})`, () => {
    let app: Door
    let provider: OpenIdProvider | undefined
    afterEach(async () => {
      await app.close()
      await provider?.close()
      provider = undefined
    })

    it('report a session cookie of another secret, once a minute', async () => {
      app = await start()
      const browser = app.browser()
      await browser.signIn()
      const other = await start({ secret: [...secret].reverse().join('') })
      try {
        const there = other.browser()
        for (const [cookie, value] of browser.cookies) there.cookies.set(cookie, value)
        for (const _ of ['first', 'second']) expect((await there.get('/me')).text).to.equal('null')
        const told = other.log.warnings.filter(({ code }) => code === 'other-secret')
        expect(told).to.have.length(1)
        expect(String(told[0]?.details[0])).to.contain('Give all instances of the site the same AUTH_SECRET.')
      } finally {
        await other.close()
      }
    })

    it('report no other secret for cookies that are broken, or of an older secret', async () => {
      app = await start()
      const browser = app.browser()
      await browser.signIn()
      const newer = await start({ secret: ['a-newer-secret-of-more-than-32-characters', secret] })
      try {
        const there = newer.browser()
        for (const [cookie, value] of browser.cookies) there.cookies.set(cookie, value)
        expect((await there.get('/me')).body.user.name).to.equal('ann')
        for (const value of ['x', 'eyJhbGciOiJkaXIifQ....', `${browser.cookies.get('auth.session-token')}x`]) {
          there.cookies.set('auth.session-token', value)
          await there.get('/me')
        }
        expect(newer.log.warnings.map(({ code }) => code)).to.not.include('other-secret')
      } finally {
        await newer.close()
      }
    })

    it('name both origins of a request from a development server', async () => {
      app = await start()
      const browser = app.browser()
      for (const site of [undefined, 'same-site']) {
        const headers = { origin: 'http://localhost:5173', accept: 'application/json' }
        const { status } = await browser.submit(
          '/auth/signout',
          {},
          site === undefined ? headers : { ...headers, 'sec-fetch-site': site },
        )
        expect(status).to.equal(403)
        const told = String(app.log.errors.pop())
        expect(told).to.contain(
          `The request comes from http://localhost:5173, and the origin of the site is ${app.origin}.`,
        )
        expect(told).to.contain('"Single-page applications"')
      }
    })

    it('repeat no text of a foreign origin that is not a URL', async () => {
      app = await start()
      const browser = app.browser()
      const origin = 'javascript:alert(1)'
      const { text } = await browser.submit('/auth/signout', {}, { origin, accept: 'application/json' })
      expect(text + JSON.stringify(app.log)).to.not.contain('alert(1)')
    })

    it('name both hosts of a sign-in that began at another name of this machine', async () => {
      provider = await startOpenIdProvider()
      const { issuer } = provider
      app = await start({ providers: [{ ...acme, issuer, clientId: 'app' }] })
      const browser = app.browser()
      await browser.get('/auth/callback/acme?state=x&code=y')
      const told = app.log.errors.map(String).concat(JSON.stringify(app.log.debugs)).join()
      expect(told).to.contain(`it began at ${app.origin.replace('127.0.0.1', 'localhost')}`)
      expect(told).to.contain(`Open the site at ${app.origin} from the beginning.`)
    })

    it('name NODE_EXTRA_CA_CERTS for a certificate of an unknown authority', async () => {
      const options = { host: 'localhost', tls: true } as const
      const server = await startLoopbackServer((_request, response) => void response.end('{}'), options)
      app = await start({ providers: [{ ...acme, issuer: server.origin }] })
      await app.browser().submit('/auth/signin/acme')
      await server.close()
      expect(app.log.errors.map(String).join()).to.match(
        /could not be started: fetch failed \((?:UNABLE|SELF|DEPTH)\w+\)\. Node\.js does not know the authority of its certificate\. Start Node\.js with NODE_EXTRA_CA_CERTS/,
      )
    })
  })
}
