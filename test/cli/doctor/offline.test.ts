/** Faults that are found without network access: for each the one right finding, and a sentence with the remedy. */
import { expect } from 'chai'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import { skipCSRFCheck } from '../../../lib/index.js'
import Email from '../../../lib/providers/email.js'
import Google from '../../../lib/providers/google.js'
import Passkey from '../../../lib/providers/passkey.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import { acme, alarms, findingsOf, goodSecret, type Patient } from './stage.js'

interface Fault extends Patient {
  readonly id: string
  /** The level of the finding. Default: failure. */
  readonly level?: 'warning' | 'note'
  /** The remedy in the sentence. */
  readonly says: RegExp
  /** Other findings that the same fault causes. */
  readonly also?: readonly string[]
}

const without = (...names: ReadonlyArray<keyof Adapter>): Adapter =>
  Object.fromEntries(Object.entries(memoryAdapter()).filter(([name]) => !names.some((each) => each === name)))
const mail = (server: string) => Email({ server, from: 'Example <hello@example.com>' })
const claims = (exp: number) =>
  `eyJhbGciOiJFUzI1NiJ9.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c2ln`

const faults: Readonly<Record<string, Fault>> = {
  'Node.js is too old': {
    scene: (scene) => ({ ...scene, node: '18.20.0' }),
    id: 'node.version',
    says: /needs \^20.*Install a newer one/,
  },
  'the id of a provider is misspelt in the environment': {
    config: { providers: [Google] },
    env: { AUTH_GOGLE_ID: 'x', AUTH_GOOGLE_SECRET: 'y' },
    id: 'env.misspelt',
    level: 'warning',
    says: /AUTH_GOGLE_ID .*Did you mean AUTH_GOOGLE_ID\?/,
    also: ['provider.credentials'],
  },
  'AUTH_SECRET is misspelt': {
    env: { AUTH_SECRET: undefined, AUTH_SERCET: goodSecret },
    id: 'env.misspelt',
    level: 'warning',
    says: /AUTH_SERCET .*Did you mean AUTH_SECRET\?/,
    also: ['secret.missing'],
  },
  'a variable has the name of another library': {
    env: { AUTH_URL: undefined, NEXTAUTH_URL: 'https://app.example.com', AUTH_TRUST_HOST: 'true' },
    id: 'env.other-library',
    level: 'warning',
    says: /Call it AUTH_URL/,
    also: ['url.trusted'],
  },
  'quotation marks are part of a value': {
    env: { AUTH_SECRET: `"${goodSecret}"` },
    id: 'env.quotes',
    says: /AUTH_SECRET has quotation marks .*Remove them/,
  },
  'a variable still has the word of the example': {
    config: { providers: [Google] },
    env: { AUTH_GOOGLE_ID: 'your-client-id', AUTH_GOOGLE_SECRET: 'y' },
    id: 'env.placeholder',
    says: /AUTH_GOOGLE_ID .*Set it to the real one/,
    also: ['provider.placeholder'],
  },
  'there is no secret': {
    env: { AUTH_SECRET: undefined },
    id: 'secret.missing',
    says: /npx server-auth secret/,
  },
  'there is no secret, in development': {
    env: { AUTH_SECRET: undefined, NODE_ENV: 'development' },
    id: 'secret.missing',
    level: 'warning',
    says: /npx server-auth secret/,
  },
  'the secret is short': {
    env: { AUTH_SECRET: goodSecret.slice(0, 20) },
    id: 'secret.short',
    says: /fewer than 32 characters.*npx server-auth secret/,
  },
  'the secret is a word, repeated': {
    env: { AUTH_SECRET: 'secret-secret-secret-secret-secret-secret' },
    id: 'secret.guessable',
    says: /not random.*npx server-auth secret/,
  },
  'two secrets are the same': {
    config: { secret: [goodSecret, goodSecret] },
    id: 'secret.twice',
    level: 'warning',
    says: /put a new one in front/,
  },
  'the site is not known in production': {
    env: { AUTH_URL: undefined },
    id: 'url.missing',
    says: /Set it to the URL of the site/,
  },
  'AUTH_URL is no URL': {
    env: { AUTH_URL: 'app.example.com' },
    id: 'url.invalid',
    says: /must be an absolute http\(s\) URL/,
  },
  'AUTH_URL is http in production': {
    env: { AUTH_URL: 'http://app.example.com' },
    id: 'url.http',
    says: /Set it to the https URL/,
    also: ['redirects.http'],
  },
  'AUTH_URL is this machine in production': {
    env: { AUTH_URL: 'http://localhost:3000' },
    id: 'url.local',
    level: 'warning',
    says: /public URL of the site/,
  },
  'AUTH_URL names one of the routes': {
    env: { AUTH_URL: 'https://app.example.com/auth/callback/google' },
    id: 'url.path',
    says: /where they are mounted/,
  },
  'AUTH_URL and basePath differ': {
    config: { basePath: '/auth' },
    env: { AUTH_URL: 'https://app.example.com/api/auth' },
    id: 'url.mount',
    level: 'warning',
    says: /Make them the same/,
  },
  'Secure cookies are wanted on http': {
    config: { useSecureCookies: true },
    env: { AUTH_URL: 'http://app.example.com', NODE_ENV: 'development' },
    id: 'cookies.secure-on-http',
    says: /browsers drop Secure cookies of http/,
    also: ['redirects.http'],
  },
  'plain cookies are wanted on https': {
    config: { useSecureCookies: false },
    id: 'cookies.plain-on-https',
    level: 'warning',
    says: /Remove the option/,
  },
  'a cookie has a prefix that its options break': {
    config: { cookies: { sessionToken: { name: '__Host-session', options: { domain: 'example.com' } } } },
    id: 'cookies.invalid',
    says: /prefix __Host-.*Change its options, or its name/,
  },
  'a cookie has the domain of another site': {
    config: { cookies: { sessionToken: { options: { domain: 'example.org' } } } },
    id: 'cookies.domain',
    says: /browsers refuse it. Correct `cookies.sessionToken.options.domain`/,
  },
  'the cookie of a sign-in does not come back from the provider': {
    config: { cookies: { state: { options: { sameSite: 'strict' } } } },
    id: 'cookies.strict',
    says: /Remove `sameSite`/,
  },
  'scripts can read the session': {
    config: { cookies: { sessionToken: { options: { httpOnly: false } } } },
    id: 'cookies.script',
    level: 'warning',
    says: /Remove `httpOnly: false`/,
  },
  'the adapter lacks what database sessions need': {
    config: { adapter: without('updateSession', 'deleteSession') },
    id: 'adapter.methods',
    says: /lacks `updateSession`, `deleteSession`, needed for database sessions/,
  },
  'the adapter lacks what makes a sign-in whole': {
    config: { adapter: without('transaction') },
    id: 'adapter.optional',
    level: 'note',
    says: /no `transaction`.*Add the methods/,
  },
  'passkeys have no adapter': {
    config: { providers: [Passkey()], experimental: { enableWebAuthn: true } },
    id: 'adapter.missing',
    says: /Set an `adapter`/,
  },
  'a package is missing': {
    config: { providers: [mail('smtps://mail.example.com')], adapter: memoryAdapter() },
    scene: (scene) => ({ ...scene, installed: (name) => (name === 'nodemailer' ? undefined : scene.installed(name)) }),
    id: 'package.missing',
    says: /npm install nodemailer/,
  },
  'a package is too old': {
    scene: (scene) => ({ ...scene, installed: (name) => (name === 'kysely' ? '0.27.6' : scene.installed(name)) }),
    id: 'package.version',
    level: 'warning',
    says: /kysely 0\.27\.6 .*npm install "kysely@/,
  },
  'a client secret is the word undefined': {
    config: { providers: [acme({ clientSecret: 'undefined' })] },
    id: 'provider.placeholder',
    says: /Copy the real one/,
  },
  'a client id has a line break behind it': {
    config: { providers: [acme({ clientId: 'app\n' })] },
    id: 'provider.spaces',
    says: /white space. Remove it/,
  },
  'a client secret has ended': {
    config: { providers: [acme({ clientSecret: claims(1_600_000_000) })] },
    id: 'provider.secret-ended',
    says: /Make a new one at the provider/,
  },
  'two providers have one id': {
    config: { providers: [acme(), acme()] },
    id: 'provider.twice',
    says: /give one of them another `id`/,
  },
  'an option is misspelt': {
    config: { sesion: {} } as Patient['config'],
    id: 'config.option',
    says: /Did you mean `session`\?/,
  },
  'an option has the wrong kind': {
    config: { debug: 'yes' } as never,
    id: 'config.invalid',
    says: /`debug` must be true or false/,
  },
  'no user can sign in': { config: { providers: [] }, id: 'providers.none', says: /users cannot sign in/ },
  'the CSRF check is off': { config: { skipCSRFCheck }, id: 'csrf.off', level: 'warning', says: /Keep it on/ },
  'accounts are linked by addresses that nobody proved': {
    config: { providers: [acme({ allowDangerousEmailAccountLinking: true })] },
    id: 'linking.dangerous',
    level: 'warning',
    says: /./,
  },
  'debug messages are on in production': {
    config: { debug: true },
    id: 'debug.on',
    level: 'warning',
    says: /Turn them off in production/,
  },
  'mails go out in the clear': {
    config: { providers: [mail('smtp://mail.example.com')], adapter: memoryAdapter() },
    id: 'mail.plain',
    level: 'note',
    says: /Write smtps:/,
  },
  'the site is asked for at another host': {
    url: 'https://www.example.com',
    id: 'url.other',
    level: 'warning',
    says: /redirect the other host/,
  },
}

describe('npx server-auth doctor --offline', () => {
  it('has at least 30 faults to report', () => {
    expect(Object.keys(faults).length).to.be.at.least(30)
  })

  for (const [title, { id, level = 'failure', says, also = [], ...patient }] of Object.entries(faults)) {
    it(`reports it when ${title}`, async () => {
      const findings = await findingsOf(patient)
      const found = findings.find((each) => each.id === id && each.level === level)
      expect(found?.message, JSON.stringify(findings, undefined, 1)).to.match(says)
      // One fault is one alarm.
      const others = alarms(findings).filter((each) => ![id, ...also].some((name) => each.includes(` ${name}: `)))
      expect(others).to.deep.equal([])
    })
  }

  it('reports nothing for a correct setup', async () => {
    const right: Patient[] = [
      {},
      { env: { NODE_ENV: 'development', AUTH_URL: undefined } },
      { env: { AUTH_URL: 'http://localhost:3000/auth', NODE_ENV: 'development' } },
      { config: { adapter: memoryAdapter(), providers: [acme(), mail('smtps://mail.example.com')] } },
      { env: { AUTH_OIDC_NAME: 'x', AUTH_DATABASE: 'y', AUTH_PORT: '1', AUTHOR: 'z', SSH_AUTH_SOCK: '/x' } },
      { config: { secret: [goodSecret, [...goodSecret].reverse().join('')] } },
    ]
    for (const patient of right) expect(alarms(await findingsOf(patient))).to.deep.equal([])
  })
})
