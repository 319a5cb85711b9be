/** The rules for every entry of the catalogue, and the request of each to the browser. */
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { readEnv } from '../lib/base/env.js'
import { resolveConfig } from '../lib/config/resolve.js'
import type { ResolvedOAuthProvider } from '../lib/contracts/index.js'
import { InvalidConfiguration, InvalidEndpoints } from '../lib/errors.js'
import Credentials from '../lib/providers/credentials.js'
import Email from '../lib/providers/email.js'
import Nodemailer from '../lib/providers/nodemailer.js'
import Passkey from '../lib/providers/passkey.js'
import Password from '../lib/providers/password.js'
import WebAuthn from '../lib/providers/webauthn.js'
import type { Profile } from '../lib/types/identity.js'
import type { OAuthConfig, Provider } from '../lib/types/provider.js'
import { customFetch } from '../lib/types/symbols.js'
import { catalogue } from './providers/rows/index.js'
import { mailServices } from './providers/rows/mail-services.js'
import { createLog, secret, startApp, target } from './support/app.js'
import { thrownBy } from './support/rejection.js'

function resolve(provider: unknown, env: Readonly<Record<string, string>> = {}): ResolvedOAuthProvider {
  const config = { providers: [provider as Provider], secret, logger: createLog().logger }
  const [resolved] = resolveConfig(config, readEnv(env)).providers.values()
  if (resolved?.kind !== 'oauth') throw new Error('not an OAuth provider')
  return resolved
}

describe('lib/providers', () => {
  it('has a row in this table for each file, and a default export', async () => {
    const ids = readdirSync(new URL('../lib/providers/', import.meta.url)).map((file) => file.replace('.ts', ''))
    const others = {
      credentials: { create: Credentials },
      email: { create: Email },
      nodemailer: { create: Nodemailer },
      passkey: { create: Passkey },
      password: { create: Password },
      webauthn: { create: WebAuthn },
    }
    const all = { ...catalogue, ...others, ...mailServices }
    expect(Object.keys(all).sort()).to.deep.equal(ids.sort())
    for (const [id, { create }] of Object.entries(all)) {
      expect((await import(`../lib/providers/${id}.ts`)).default, id).to.equal(create)
    }
  })

  for (const [id, entry] of Object.entries(catalogue)) {
    const { variable, issuer } = entry
    const create = entry.create as (options?: object) => OAuthConfig
    const required = {
      clientId: 'client',
      clientSecret: 'a-client-secret',
      ...(issuer !== undefined && { issuer }),
      ...entry.required,
    }

    if (entry.gone !== undefined) {
      const { gone } = entry
      it(`${id}.ts says since when it is gone`, () => {
        const error = thrownBy(() => resolve(create(required)))
        expect(error.message).to.include(gone)
      })
      continue
    }

    describe(`${id}.ts`, () => {
      it('has the id of its file, a name and a colour, and gives the options back', () => {
        const options = { clientId: 'client' }
        const provider = create(options)
        expect(provider).to.include({ id, options })
        expect(provider.name).to.match(/^[\p{L}\d]/u)
        expect(provider.style?.brandColor).to.match(/^#[0-9a-f]{6}$/i)
        expect(create().options).to.deep.equal({})
      })

      it('is the same each time: nothing is shared between two calls', () => {
        const [first, second] = [create(), create()]
        for (const part of ['authorization', 'client', 'style', 'options'] as const) {
          if (typeof first[part] === 'object') expect(first[part]).not.to.equal(second[part])
        }
      })

      it('has https endpoints only', () => {
        const { authorization, token, userinfo, ...rest } = resolve(create(required))
        for (const url of [authorization.url, token.url, userinfo.url, rest.issuer, rest.wellKnown, rest.jwksUri]) {
          if (url !== undefined) expect(url).to.match(/^https:\/\//)
        }
        expect(rest).to.include({ plainHttp: false, allowInsecure: false })
      })

      it('takes what it needs from the environment, as function and as object', () => {
        const env = {
          [`AUTH_${variable}_ID`]: 'id of the environment',
          [`AUTH_${variable}_SECRET`]: 'secret of the environment',
          ...(issuer !== undefined && { [`AUTH_${variable}_ISSUER`]: issuer }),
        }
        for (const given of entry.required ? [] : [create, create()]) {
          expect(resolve(given, env)).to.include({
            id,
            clientId: 'id of the environment',
            clientSecret: 'secret of the environment',
            ...(issuer !== undefined && { issuer }),
          })
        }
        const { clientId, clientSecret } = required
        expect(resolve(create(required), env)).to.include({ clientId, clientSecret, ...(issuer && { issuer }) })
      })

      it('says at construction what is missing', () => {
        const { clientId: _clientId, ...noId } = required
        const id = thrownBy(() => resolve(create(noId)))
        expect(id).to.be.instanceOf(InvalidConfiguration)
        expect(id.message).to.include('`clientId` is missing').and.include(`AUTH_${variable}_ID`)
        if (issuer !== undefined) {
          const error = thrownBy(() => resolve(create({ ...required, issuer: undefined })))
          expect(error).to.be.instanceOf(InvalidEndpoints)
          expect(error.message).to.include('`issuer`').and.include(`AUTH_${variable}_ISSUER`)
        }
        for (const name of Object.keys(entry.required ?? {})) {
          const error = thrownBy(() => resolve(create({ ...required, [name]: undefined })))
          expect(error.message, name).to.include(`\`${name}\``)
        }
        const withoutSecret = () => resolve(create({ ...required, clientSecret: undefined }))
        // The others may be public clients, with PKCE.
        if (!entry.needsSecret) return void expect(withoutSecret().pkce).to.equal(true)
        const error = thrownBy(withoutSecret)
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.include('needs `clientSecret`').and.include(`AUTH_${variable}_SECRET`)
      })

      it('sends the browser to exactly this URL', async () => {
        const asked: string[] = []
        const answer = async (input: string | URL | Request) => {
          asked.push(String(input))
          const { authorization: authorization_endpoint, discovery } = entry
          return Response.json({
            issuer: discovery?.issuer,
            authorization_endpoint,
            token_endpoint: 'https://op.test/token',
            jwks_uri: 'https://op.test/keys',
          })
        }
        const app = await startApp({ providers: [create({ ...required, [customFetch]: answer as typeof fetch })] })
        try {
          const url = new URL(target(await app.browser().submit(`/auth/signin/${id}`)))
          expect(app.log.errors).to.deep.equal([])
          expect(url.origin + url.pathname).to.equal(entry.authorization)
          const common = {
            response_type: 'code',
            client_id: 'client',
            redirect_uri: `${app.origin}/auth/callback/${id}`,
            state: '*',
          }
          const sent = Object.fromEntries(url.searchParams)
          for (const name of ['state', 'nonce', 'code_challenge']) {
            if (sent[name] !== undefined) expect(sent[name]).to.match(/^[\w-]{43}$/)
            if (sent[name] !== undefined) sent[name] = '*'
          }
          expect(sent).to.deep.equal({ ...common, ...entry.params })
          expect(asked).to.deep.equal(entry.discovery ? [entry.discovery.url] : [])
        } finally {
          await app.close()
        }
      })

      for (const [index, { profile, user }] of entry.people.entries()) {
        it(`makes a user of profile ${index + 1}`, async () => {
          const made = await resolve(create(required)).profile(profile as Profile, { access_token: 'x' })
          expect(made).to.deep.equal(user)
        })
      }

      it('lets the developer change everything', async () => {
        const own = resolve(
          create({
            ...required,
            id: 'own',
            name: 'Own',
            authorization: { params: { scope: 'openid own', prompt: 'login' } },
            profile: () => ({ id: 'own' }),
          }),
        )
        expect(own).to.include({ id: 'own', name: 'Own' })
        expect(own.authorization.params).to.include({ scope: 'openid own', prompt: 'login' })
        expect(await own.profile({}, {})).to.deep.equal({ id: 'own' })
      })
    })
  }

  describe('credentials.ts', () => {
    const authorize = () => null

    it('has the id of its file, and takes another', () => {
      const credentials = { username: {} }
      expect(Credentials({ credentials, authorize })).to.deep.equal({
        id: 'credentials',
        name: 'Credentials',
        type: 'credentials',
        credentials,
        authorize,
      })
      expect(Credentials({ id: 'ldap', name: 'LDAP', credentials, authorize })).to.include({ id: 'ldap', name: 'LDAP' })
    })

    it('says at construction that `authorize` is missing', () => {
      const provider = Credentials({ credentials: {} } as unknown as Parameters<typeof Credentials>[0])
      expect(thrownBy(() => resolve(provider)).message).to.match(/"credentials": `authorize` is missing/)
    })
  })
})
