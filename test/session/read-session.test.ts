import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { assertTrusted } from '../../lib/config/site.js'
import { UntrustedHost } from '../../lib/errors.js'
import { createReader } from '../../lib/session/reader.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { createLog, secret } from '../support/app.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const production = { NODE_ENV: 'production' }

function resolve(options: Partial<ServerAuthConfig> = {}, env: Record<string, string> = {}) {
  return resolveConfig({ providers: [], secret, logger: createLog().logger, ...options }, readEnv(env))
}

/** Reads a session whose "token" says which cookie it came from. */
async function nameRead(cookie: string, origin: string | undefined, env: Record<string, string> = {}, options = {}) {
  const config = resolve(
    { jwt: { decode: ({ token }) => ({ name: token ?? null }), encode: () => '' }, ...options },
    env,
  )
  const source = { cookie, origin, authorization: undefined, writable: false }
  const { session } = await createReader(config, () => {}).readSession(source)
  return session?.user?.name ?? null
}

const both = 'auth.session-token=plain; __Secure-auth.session-token=prefixed'

describe('readSession(source) of a reader', () => {
  it('reads the prefixed cookie on an https origin, the plain one on http', async () => {
    expect(await nameRead(both, 'https://app.test')).to.equal('prefixed')
    expect(await nameRead(both, 'http://app.test')).to.equal('plain')
    expect(await nameRead('auth.session-token=plain', 'https://app.test')).to.equal(null)
  })

  it('uses AUTH_URL if it is set, whatever the request says', async () => {
    expect(await nameRead(both, 'http://app.test', { AUTH_URL: 'https://app.test' })).to.equal('prefixed')
    expect(await nameRead(both, 'https://app.test', { AUTH_URL: 'http://app.test' })).to.equal('plain')
  })

  it('uses useSecureCookies before all other settings', async () => {
    expect(await nameRead(both, 'http://app.test', {}, { useSecureCookies: true })).to.equal('prefixed')
    expect(await nameRead(both, undefined, {}, { useSecureCookies: false })).to.equal('plain')
  })

  it('tries the prefixed name first and then the plain one if the origin is not known', async () => {
    expect(await nameRead(both, undefined)).to.equal('prefixed')
    expect(await nameRead('auth.session-token=plain', undefined)).to.equal('plain')
    expect(await nameRead('', undefined)).to.equal(null)
  })

  it('rejects a host that is not trusted', async () => {
    const config = resolve({}, production)
    const source = { cookie: undefined, origin: 'https://evil.test', authorization: undefined, writable: false }
    const error = await rejectionOf(Promise.resolve(createReader(config, () => {}).readSession(source)))
    expect(error).to.be.instanceOf(UntrustedHost)
    expect(error.message).to.include('AUTH_URL').and.include('`trustHost: true`')
  })
})

describe('assertTrusted(config, origin)', () => {
  const anywhere = 'https://app.example.com'

  it('accepts any host with AUTH_URL, trustHost, AUTH_TRUST_HOST and on a known platform', () => {
    for (const config of [
      resolve({}, { ...production, AUTH_URL: 'https://app.test' }),
      resolve({ trustHost: true }, production),
      resolve({ trustHost: true }),
      resolve({}, { ...production, AUTH_TRUST_HOST: 'true' }),
      resolve({}, { ...production, VERCEL: '1' }),
    ]) {
      assertTrusted(config, anywhere)
    }
  })

  it('rejects all hosts in production without them, and if trust is switched off', () => {
    for (const config of [
      resolve({}, production),
      resolve({}, { ...production, AUTH_TRUST_HOST: 'false' }),
      resolve({ trustHost: false }, { AUTH_TRUST_HOST: 'true' }),
    ]) {
      for (const origin of ['http://localhost', anywhere, undefined]) {
        expect(thrownBy(() => assertTrusted(config, origin))).to.be.instanceOf(UntrustedHost)
      }
    }
  })

  for (const host of [
    'localhost',
    'localhost:3000',
    'app.localhost:3000',
    'app.test',
    'a.b.test',
    '127.0.0.1:3000',
    '127.9.9.9',
    '[::1]:3000',
    '[::ffff:127.0.0.1]',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255:3000',
    '192.168.1.20:3000',
    '169.254.1.1',
    '[fd12:3456::1]:3000',
    '[fc00::1]',
    '[fe80::1]',
    '[febf::1]',
  ]) {
    it(`accepts ${host} outside production`, () => {
      assertTrusted(resolve({}), `http://${host}`)
      assertTrusted(resolve({}), `https://${host}`)
    })
  }

  it('accepts outside production a request without a host', () => {
    assertTrusted(resolve({}), undefined)
  })

  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'evil-localhost',
    'test',
    'eviltest',
    'app.test.evil.example',
    '127.0.0.1.evil.example',
    '10.evil.example',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '11.0.0.1',
    '[2001:db8::1]',
    '[fec0::1]',
    '[::ffff:8.8.8.8]',
    '[fb00::1]',
    'intranet',
    'printer.local',
  ]) {
    it(`rejects ${host} if no setting names it as the site`, () => {
      const error = thrownBy(() => assertTrusted(resolve({}), `http://${host}`))
      expect(error).to.be.instanceOf(UntrustedHost)
      expect(error.message).to.include('AUTH_URL').and.include('`trustHost: true`')
    })
  }
})
