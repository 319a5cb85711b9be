/** A client secret that the provider's object creates (`token.clientSecret`), for one that expires. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import { readEnv } from '../../../lib/base/env.js'
import { resolveConfig } from '../../../lib/config/resolve.js'
import { InvalidConfiguration } from '../../../lib/errors.js'
import type { Provider } from '../../../lib/types/provider.js'
import { createLog, secret } from '../../support/app.js'
import { thrownBy } from '../../support/rejection.js'
import { useStage } from './stage.js'

const made = 'made-secret-of-at-least-32-characters'

describe('a client secret that is created', () => {
  const stage = useStage({ clientSecret: undefined })
  const token = { clientSecret: () => made }

  it('is created for the client, and again for the next sign-in', async () => {
    let count = 0
    const clientSecret = ({ clientId }: { clientId: string }) => `${clientId}-${count}`
    await stage.restart({ token: { clientSecret }, client: { token_endpoint_auth_method: 'client_secret_post' } })
    for (count of [1, 2]) {
      await stage.expectSignedIn(await stage.signIn())
      const { body } = stage.provider.requests.findLast(({ path }) => path === '/token') ?? {}
      expect(body?.client_secret).to.equal(`hostile-client-${count}`)
    }
  })

  it('is sent in the header by default', async () => {
    await stage.restart({ token })
    await stage.expectSignedIn(await stage.signIn())
    const { headers } = stage.provider.requests.findLast(({ path }) => path === '/token') ?? {}
    expect(headers?.authorization).to.equal(`Basic ${Buffer.from(`hostile-client:${made}`).toString('base64')}`)
  })

  for (const [what, signedWith] of [
    ['takes', made],
    ['refuses another than', 'another-secret-of-at-least-32-characters'],
  ] as const) {
    it(`${what} it under an HS256 id_token`, async () => {
      await stage.restart({ token, client: { id_token_signed_response_alg: 'HS256' } })
      stage.provider.onToken = (body) =>
        stage.provider.tokens(body, {}, { alg: 'HS256', kid: null, secret: signedWith })
      const response = await stage.signIn()
      if (signedWith === made) await stage.expectSignedIn(response)
      else await stage.expectRefused(response, 'OAuthCallbackError', /signature/)
    })
  }

  it('is not logged if the provider repeats it', async () => {
    await stage.restart({ token })
    stage.provider.onToken = () => ({ status: 400, body: { error: 'invalid_client', error_description: made } })
    await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /invalid_client \(\[redacted\]\)/)
    expect(inspect(stage.app.log.errors, { depth: 10, showHidden: true })).not.to.include(made)
  })

  describe('at construction', () => {
    const resolve = (options: object, env = {}) => {
      const given = { id: 'own', name: 'Own', type: 'oidc', issuer: 'https://op.test', clientId: 'c', ...options }
      const config = { providers: [given as Provider], secret, logger: createLog().logger }
      const [provider] = resolveConfig(config, readEnv(env)).providers.values()
      return provider
    }

    it('is used after a configured secret, and before one of the environment', () => {
      const env = { AUTH_OWN_SECRET: 'of the environment' }
      expect(resolve({ token }, env)).to.include({ clientSecret: made })
      expect(resolve({ token, clientSecret: 'given' }, env)).to.include({ clientSecret: 'given' })
      expect(resolve({ token, client: { client_secret: 'metadata' } }, env)).to.include({ clientSecret: 'metadata' })
      expect(resolve({}, env)).to.include({ clientSecret: 'of the environment' })
      expect(resolve({})).not.to.have.property('clientSecret')
    })

    for (const [what, clientSecret, reason] of [
      ['no function', made, /`providers\.own\.token\.clientSecret` must be a function, not a string/],
      [
        'nothing',
        () => undefined,
        /`providers\.own\.token\.clientSecret` must return a non-empty string, not undefined/,
      ],
      ['an empty text', () => '', /must return a non-empty string, not an empty string/],
      ['a promise', async () => made, /must return a non-empty string, not an object/],
      [
        'an error',
        () => {
          throw new Error('the vault is closed')
        },
        /`providers\.own\.token\.clientSecret` threw: the vault is closed/,
      ],
    ] as const) {
      it(`must not be ${what}`, () => {
        const error = thrownBy(() => resolve({ token: { clientSecret } }))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.match(reason)
      })
    }
  })
})
