import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ResolvedOAuthProvider, ResolvedProvider } from '../../lib/contracts/index.js'
import {
  type AuthError,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAuthorize,
} from '../../lib/errors.js'
import { customFetch } from '../../lib/index.js'
import Auth0 from '../../lib/providers/auth0.js'
import GitHub from '../../lib/providers/github.js'
import Google from '../../lib/providers/google.js'
import MicrosoftEntraID from '../../lib/providers/microsoft-entra-id.js'
import type { Provider } from '../../lib/types/provider.js'
import { createLog, credentials, type Log, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const production = { NODE_ENV: 'production' }

/** Resolves providers of any shape, under exactly this environment. */
function resolveAll(
  providers: readonly unknown[],
  env: Record<string, string> = {},
  log: Log = createLog(),
): ReadonlyMap<string, ResolvedProvider> {
  const config = { providers: [...providers] as Provider[], secret, logger: log.logger }
  return resolveConfig(config, readEnv(env)).providers
}

/** Resolves the only provider. */
function resolve(provider: unknown, env: Record<string, string> = {}, log?: Log): ResolvedOAuthProvider {
  const [resolved] = resolveAll([provider], env, log).values()
  if (resolved?.kind !== 'oauth') throw new Error('not an OAuth provider')
  return resolved
}

const oidc = { id: 'my-own', name: 'My own', type: 'oidc', issuer: 'https://op.test', clientId: 'c', clientSecret: 's' }
const oauth = {
  id: 'plain',
  name: 'Plain',
  type: 'oauth',
  clientId: 'c',
  authorization: 'https://op.test/authorize',
  token: 'https://op.test/token',
  userinfo: 'https://op.test/me',
}

describe('providers', () => {
  describe('are given', () => {
    it('as an object', () => {
      expect(resolve(oidc)).to.deep.include({
        kind: 'oauth',
        ...oidc,
        pkce: true,
        nonce: true,
        idToken: true,
        formPost: false,
      })
    })

    it('as the object that a function of the catalogue returned', () => {
      const provider = resolve(Google({ clientId: 'c', clientSecret: 's' }))
      expect(provider).to.include({
        id: 'google',
        type: 'oidc',
        issuer: 'https://accounts.google.com',
        clientId: 'c',
        clientSecret: 's',
      })
    })

    it('as the function itself, with the environment', () => {
      const env = { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret', AUTH_GOOGLE_ID: 'other' }
      expect(resolve(GitHub, env)).to.include({ id: 'github', type: 'oauth', clientId: 'id', clientSecret: 'secret' })
    })

    it('as a custom function, with the environment and what it adds', () => {
      const own = (options: object = {}) => ({ ...oidc, clientId: undefined, options: { ...options, name: 'Renamed' } })
      expect(resolve(own, { AUTH_MY_OWN_ID: 'id' })).to.include({ clientId: 'id', name: 'Renamed', clientSecret: 's' })
    })

    it('in their order, by id', () => {
      expect([...resolveAll([oauth, credentials(), oidc]).keys()]).to.deep.equal(['plain', 'credentials', 'my-own'])
    })
  })

  describe('take from AUTH_<PROVIDER>_*', () => {
    const env = {
      AUTH_AUTH0_ID: 'id',
      AUTH_AUTH0_SECRET: 'secret',
      AUTH_AUTH0_ISSUER: 'https://tenant.auth0.test',
      AUTH_MICROSOFT_ENTRA_ID_ISSUER: 'https://login.microsoftonline.com/tenant/v2.0',
      AUTH_MICROSOFT_ENTRA_ID_ID: 'entra',
      AUTH_MY_OWN_ID: 'of the environment',
      AUTH_MY_OWN_SECRET: 'of the environment',
      AUTH_MY_OWN_ISSUER: 'https://env.test',
    }

    it('id, secret and issuer: for objects and functions alike', () => {
      for (const provider of [Auth0, Auth0()]) {
        expect(resolve(provider, env)).to.include({
          clientId: 'id',
          clientSecret: 'secret',
          issuer: 'https://tenant.auth0.test',
        })
      }
    })

    it('the issuer instead of the default of the catalogue, if the function is given', () => {
      expect(resolve(MicrosoftEntraID, env)).to.include({
        issuer: 'https://login.microsoftonline.com/tenant/v2.0',
        clientId: 'entra',
      })
    })

    it('nothing that the configuration sets', () => {
      expect(resolve(oidc, env)).to.include({ clientId: 'c', clientSecret: 's', issuer: 'https://op.test' })
      expect(resolve({ ...oidc, clientId: undefined, clientSecret: undefined }, env)).to.include({
        clientId: 'of the environment',
        clientSecret: 'of the environment',
      })
    })

    it('and treat client metadata as the configuration', () => {
      const provider = {
        ...oidc,
        clientId: undefined,
        clientSecret: undefined,
        client: { client_id: 'meta', client_secret: 'm' },
      }
      expect(resolve(provider, env)).to.include({ clientId: 'meta', clientSecret: 'm' })
    })
  })

  describe('merge `options` over the rest', () => {
    it('endpoint by endpoint, as text or object on either side', () => {
      const provider = resolve({
        ...oauth,
        options: { authorization: { params: { scope: 'a b', claims: { id_token: {} } } } },
      })
      expect(provider.authorization).to.deep.include({
        url: 'https://op.test/authorize',
        params: { scope: 'a b', claims: '{"id_token":{}}' },
      })
      const other = resolve({
        ...oauth,
        authorization: { url: 'https://x.test', params: { a: 1 } },
        options: { authorization: 'https://y.test' },
      })
      expect(other.authorization).to.deep.include({ url: 'https://y.test', params: {} })
      const moved = resolve({
        ...oauth,
        authorization: { url: 'https://x.test', params: { a: 1 } },
        options: { authorization: { url: 'https://y.test' } },
      })
      expect(moved.authorization).to.deep.include({ url: 'https://y.test', params: { a: '1' } })
    })

    it('a text replaces the parameters of the provider, and keeps its functions', () => {
      const conform = () => undefined
      const request = () => ({})
      const provider = resolve({
        ...oauth,
        token: { url: 'https://x.test/t', params: { a: 1 }, conform },
        userinfo: { url: 'https://x.test/u', params: { fields: 'id' }, request },
        options: { token: 'https://y.test/t?p=1', userinfo: 'https://y.test/u?fields=id,name' },
      })
      expect(provider.token).to.deep.equal({ url: 'https://y.test/t?p=1', params: {}, conform })
      expect(provider.userinfo).to.deep.equal({ url: 'https://y.test/u?fields=id,name', params: {}, request })
      const scoped = resolve({
        ...oidc,
        authorization: { params: { scope: 'openid phone', x: 1 } },
        options: { authorization: 'https://y.test/a' },
      })
      expect(scoped.authorization.params).to.deep.equal({ scope: 'openid profile email' })
    })

    it('arrays replace: checks of the developer are the checks', () => {
      expect(resolve({ ...oidc, checks: ['pkce', 'state'], options: { checks: ['state'] } }).pkce).to.equal(false)
    })

    it('with a fetch of the developer', () => {
      const own: typeof fetch = async () => new Response()
      expect(resolve({ ...oidc, options: { [customFetch]: own } }).fetch).to.equal(own)
      expect(resolve({ ...oidc, [customFetch]: own }).fetch).to.equal(own)
      expect(resolve(oidc).fetch).to.not.equal(own)
    })
  })

  describe('the query of an authorization URL', () => {
    const at = (authorization: unknown, options: object = {}) =>
      resolve({ ...oidc, authorization, options }).authorization

    it('is merged into the parameters', () => {
      const url = 'https://x.test/a?prompt=consent&access_type=offline&scope=openid'
      const expected = {
        url: 'https://x.test/a',
        params: { prompt: 'consent', access_type: 'offline', scope: 'openid' },
      }
      expect(at(url)).to.deep.include(expected)
      expect(at({ url })).to.deep.include(expected)
      expect(at('https://z.test?x=1', { authorization: url })).to.deep.include(expected)
      expect(at('https://z.test?x=1', { authorization: { url } })).to.deep.include(expected)
    })

    it('is overridden by `params`', () => {
      const params = { prompt: 'login', b: undefined }
      const url = 'https://x.test/a?prompt=consent&b=2'
      const expected = { scope: 'openid profile email', prompt: 'login', b: '2' }
      expect(at({ url, params }).params).to.deep.equal(expected)
      expect(at({ url }, { authorization: { params } }).params).to.deep.equal(expected)
      expect(at({ params }, { authorization: { url } }).params).to.deep.equal({ ...expected, prompt: 'consent' })
    })

    it('is used to find how the answer is sent', () => {
      for (const authorization of [
        'https://x.test/a?response_mode=form_post',
        { params: { response_mode: 'form_post' } },
      ]) {
        expect(resolve({ ...oidc, authorization }).formPost).to.equal(true)
      }
      expect(() => at('https://x.test/a?response_mode=jwt')).to.throw(InvalidConfiguration, 'response_mode')
    })

    it('stays if a name is repeated, or is a placeholder', () => {
      expect(at('https://x.test/a?r=1&r=2&s=3')).to.deep.include({
        url: 'https://x.test/a?r=1&r=2',
        params: { scope: 'openid profile email', s: '3' },
      })
      const filled = resolve({ ...oidc, clientId: 'me', authorization: 'https://x.test/a?app={clientId}' })
      expect(filled.authorization.url).to.equal('https://x.test/a?app=me')
    })
  })

  describe('reject a misspelt option, and name the option that was meant', () => {
    const email = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} }
    const typed = { id: 'typed', name: 'Typed', type: 'credentials', credentials: {}, authorize: () => null }
    for (const [base, misspelt, meant] of [
      [oidc, 'clientID', 'clientId'],
      [oidc, 'client_id', 'clientId'],
      [oidc, 'clientsecret', 'clientSecret'],
      [oidc, 'ISSUER', 'issuer'],
      [oidc, 'authorisation', 'authorization'],
      [oidc, 'userInfo', 'userinfo'],
      [oauth, 'well-known', 'wellKnown'],
      [email, 'sendVerificationRequests', 'sendVerificationRequest'],
      [email, 'maxage', 'maxAge'],
      [typed, 'authorise', 'authorize'],
    ] as const) {
      it(misspelt, () => {
        for (const options of [{ [misspelt]: 'x' }, { options: { [misspelt]: 'x' } }]) {
          expect(() => resolve({ ...base, ...options })).to.throw(
            InvalidConfiguration,
            new RegExp(`no option \`providers\\.[\\w-]+\\.${misspelt}\`\\. Did you mean \`${meant}\`\\?`),
          )
        }
      })
    }

    it('and accept options that resemble none of our options', () => {
      for (const name of ['tenantId', 'region', 'enterprise', 'tokens', 'names', 'form', 'scope']) {
        expect(() => resolve({ ...oidc, [name]: 'x' }), name).to.not.throw()
      }
    })
  })

  describe('reject a configured feature that is not supported', () => {
    const client: ReadonlyArray<[name: string, value: unknown]> = [
      ['authorization_encrypted_response_alg', 'RSA-OAEP'],
      ['dpop_bound_access_tokens', true],
      ['id_token_encrypted_response_enc', 'A256GCM'],
      ['introspection_signed_response_alg', 'RS256'],
      ['request_object_signing_alg', 'RS256'],
      ['require_pushed_authorization_requests', true],
      ['require_signed_request_object', true],
      ['response_types', ['code id_token']],
      ['tls_client_certificate_bound_access_tokens', true],
      ['token_endpoint_auth_signing_alg', 'RS256'],
      ['use_mtls_endpoint_aliases', true],
      ['anything_of_tomorrow', 'x'],
    ]
    for (const [name, value] of client) {
      it(`client.${name}`, () => {
        expect(() => resolve({ ...oidc, client: { [name]: value } })).to.throw(
          InvalidConfiguration,
          `client.${name}\` is not supported`,
        )
        expect(() => resolve({ ...oidc, options: { client: { [name]: value } } })).to.throw(InvalidConfiguration)
      })
    }

    it('and nothing that is supported, or is off', () => {
      const supported = {
        client_id: 'me',
        client_secret: 's',
        default_max_age: 60,
        require_auth_time: true,
        id_token_signed_response_alg: 'ES256',
        userinfo_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_post',
        dpop_bound_access_tokens: false,
        request_object_signing_alg: undefined,
      }
      expect(resolve({ ...oidc, client: supported }).client).to.deep.equal(supported)
    })

    const params: ReadonlyArray<[name: string, value: string]> = [
      ['response_mode', 'jwt'],
      ['response_mode', 'query.jwt'],
      ['response_mode', 'form_post.jwt'],
      ['response_mode', 'fragment'],
      ['response_mode', 'web_message'],
      ['request', 'e30.e30.'],
      ['request_uri', 'urn:x'],
      ['dpop_jkt', 'x'],
    ]
    for (const [name, value] of params) {
      it(`authorization.params.${name}: ${value}`, () => {
        for (const authorization of [{ params: { [name]: value } }, `https://x.test/a?${name}=${value}`]) {
          expect(() => resolve({ ...oidc, authorization })).to.throw(
            InvalidConfiguration,
            `authorization.params.${name}\``,
          )
        }
      })
    }
  })

  it('have a scope by default for OpenID Connect, and none for plain OAuth', () => {
    expect(resolve(oidc).authorization.params).to.deep.equal({ scope: 'openid profile email' })
    expect(resolve(oauth).authorization.params).to.deep.equal({})
  })

  it('report whether the answer is sent as a POST', () => {
    expect(resolve({ ...oidc, authorization: { params: { response_mode: 'form_post' } } }).formPost).to.equal(true)
  })

  it('ST-11 turn PKCE off with a warning; nothing else', () => {
    for (const checks of [['none'], []]) {
      const log = createLog()
      expect(resolve({ ...oidc, checks }, {}, log)).to.include({ pkce: false, nonce: true })
      expect(log.warnings.map(({ code }) => code)).to.deep.equal(['checks-none'])
      expect(log.warnings[0]?.details[0]).to.include('"my-own"').and.include('State and nonce are still checked')
    }
    const log = createLog()
    expect(resolve({ ...oidc, checks: ['state', 'pkce'] }, {}, log).pkce).to.equal(true)
    expect(log.warnings).to.deep.equal([])
  })

  it('may be http on loopback in development, or if the developer requests it', () => {
    for (const issuer of [
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://127.1',
      'http://[::1]:1',
      'http://op.localhost',
    ]) {
      expect(resolve({ ...oidc, issuer }), issuer).to.include({ plainHttp: true, allowInsecure: false })
    }
    expect(resolve({ ...oidc, issuer: 'http://op.test', allowInsecureIssuer: true })).to.include({
      allowInsecure: true,
    })
    expect(resolve({ ...oidc, issuer: 'http://op.test', allowInsecureIssuer: true }, production)).to.include({
      allowInsecure: true,
    })
  })

  describe('FO-01 are rejected, naming provider, option and remedy', () => {
    type Case = [
      name: string,
      provider: unknown,
      Class: typeof AuthError,
      message: RegExp,
      env?: Record<string, string>,
    ]
    const cases: readonly Case[] = [
      [
        'null',
        null,
        InvalidConfiguration,
        /`providers\[0\]` must be a provider: an object with `id`, `name` and `type`, or a function that returns one, not null/,
      ],
      ['a text', 'google', InvalidConfiguration, /`providers\[0\]` must be a provider.*not a string/],
      [
        'a function that returns nothing',
        () => undefined,
        InvalidConfiguration,
        /`providers\[0\]\(\)` must be a provider.*not undefined/,
      ],
      ['a module of CommonJS', { default: () => oidc }, InvalidConfiguration, /is a module.*Add `\.default`/],
      ['no id', { ...oidc, id: undefined }, InvalidConfiguration, /`providers\[0\]\.id` must be letters, digits/],
      ['an id with a slash', { ...oidc, id: 'a/b' }, InvalidConfiguration, /`providers\[0\]\.id` must be letters/],
      ['an id that is a path', { ...oidc, id: '..' }, InvalidConfiguration, /`providers\[0\]\.id` must be letters/],
      [
        'the id `undefined`',
        { ...oidc, id: 'undefined' },
        InvalidConfiguration,
        /`providers\[0\]\.id` must be letters/,
      ],
      [
        'an unknown type',
        { ...oidc, type: 'saml' },
        InvalidConfiguration,
        /"my-own": `type` must be "oidc", "oauth", "email", "credentials"/,
      ],
      ['no type', { ...oidc, type: undefined }, InvalidConfiguration, /"my-own": `type` must be/],
      [
        'no clientId',
        { ...oidc, clientId: undefined },
        InvalidConfiguration,
        /"my-own": `clientId` is missing\. Pass it, or set AUTH_MY_OWN_ID \(and AUTH_MY_OWN_SECRET\)/,
      ],
      [
        'an empty clientId',
        { ...oidc, clientId: '' },
        InvalidConfiguration,
        /`providers\.my-own\.clientId` must be a non-empty string/,
      ],
      [
        'a clientSecret that is no text',
        { ...oidc, clientSecret: 5 },
        InvalidConfiguration,
        /`providers\.my-own\.clientSecret` must be a non-empty string/,
      ],
      [
        'no issuer',
        { ...oidc, issuer: undefined },
        InvalidEndpoints,
        /"my-own": `authorization` is missing\. Set `issuer` \(or AUTH_MY_OWN_ISSUER\)/,
      ],
      [
        'oidc with endpoints but no issuer',
        { ...oauth, type: 'oidc' },
        InvalidEndpoints,
        /"plain": `issuer` is missing/,
      ],
      ['no token endpoint', { ...oauth, token: undefined }, InvalidEndpoints, /"plain": `token` is missing/],
      ['no userinfo endpoint', { ...oauth, userinfo: undefined }, InvalidEndpoints, /"plain": `userinfo` is missing/],
      [
        'an issuer that is no URL',
        { ...oidc, issuer: 'op.test' },
        InvalidConfiguration,
        /`providers\.my-own\.issuer` must be an absolute http\(s\) URL/,
      ],
      [
        'an issuer of another scheme',
        { ...oidc, issuer: 'file:///etc/passwd' },
        InvalidConfiguration,
        /`providers\.my-own\.issuer` must be an absolute/,
      ],
      [
        'an http issuer',
        { ...oidc, issuer: 'http://op.test' },
        InvalidConfiguration,
        /`providers\.my-own\.issuer` must be https\. .*`allowInsecureIssuer: true`/,
      ],
      [
        'an http issuer that looks like loopback',
        { ...oidc, issuer: 'http://localhost.op.test' },
        InvalidConfiguration,
        /must be https/,
      ],
      [
        'an http issuer on loopback in production',
        { ...oidc, issuer: 'http://localhost:1' },
        InvalidConfiguration,
        /`providers\.my-own\.issuer` must be https/,
        production,
      ],
      [
        'an http endpoint',
        { ...oauth, token: 'http://op.test/token' },
        InvalidConfiguration,
        /`providers\.plain\.token` must be https/,
      ],
      [
        'an endpoint made of a missing option',
        { ...oauth, token: 'https://undefined/token' },
        InvalidEndpoints,
        /`providers\.plain\.token` contains "undefined"/,
      ],
      [
        'an endpoint that is no URL',
        { ...oauth, userinfo: { url: '/me' } },
        InvalidConfiguration,
        /`providers\.plain\.userinfo` must be an absolute/,
      ],
      [
        'an endpoint that is no object',
        { ...oauth, userinfo: 5 },
        InvalidConfiguration,
        /`providers\.plain\.userinfo` must be an object, not 5/,
      ],
      [
        'wellKnown that is no text',
        { ...oidc, wellKnown: 5 },
        InvalidConfiguration,
        /`providers\.my-own\.wellKnown` must be a non-empty string/,
      ],
      [
        'checks that are no array',
        { ...oidc, checks: 'pkce' },
        InvalidConfiguration,
        /`providers\.my-own\.checks` must be an array of "pkce", "state", "nonce" or "none"/,
      ],
      [
        'an unknown check',
        { ...oidc, checks: ['pkse'] },
        InvalidConfiguration,
        /`providers\.my-own\.checks` must be an array/,
      ],
      [
        'allowedParams that are no names',
        { ...oidc, authorization: { allowedParams: 'prompt' } },
        InvalidConfiguration,
        /`providers\.my-own\.authorization\.allowedParams` must be an array of names/,
      ],
      [
        'profile that is no function',
        { ...oidc, profile: 'sub' },
        InvalidConfiguration,
        /`providers\.my-own\.profile` must be a function, not a string/,
      ],
      [
        'account that is no function',
        { ...oidc, account: {} },
        InvalidConfiguration,
        /`providers\.my-own\.account` must be a function/,
      ],
      [
        'idToken as a word',
        { ...oidc, idToken: 'false' },
        InvalidConfiguration,
        /`providers\.my-own\.idToken` must be true or false/,
      ],
      [
        'nonce as a word',
        { ...oidc, nonce: 'false' },
        InvalidConfiguration,
        /`providers\.my-own\.nonce` must be true or false/,
      ],
      [
        'allowInsecureIssuer as a word',
        { ...oidc, allowInsecureIssuer: 'true' },
        InvalidConfiguration,
        /`providers\.my-own\.allowInsecureIssuer` must be true or false/,
      ],
      [
        'a fetch that is none',
        { ...oidc, [customFetch]: 'fetch' },
        InvalidConfiguration,
        /"my-own": \[customFetch\] must be a function like fetch/,
      ],
      [
        'options that are no object',
        { ...oidc, options: 5 },
        InvalidConfiguration,
        /`providers\[0\]\.options` must be an object/,
      ],
      [
        'client that is no object',
        { ...oidc, client: 'x' },
        InvalidConfiguration,
        /`providers\.my-own\.client` must be an object/,
      ],
      [
        'redirectProxyUrl without a path',
        { ...oidc, redirectProxyUrl: 'https://p.test' },
        InvalidConfiguration,
        /`providers\.my-own\.redirectProxyUrl` must be the full URL/,
      ],
      [
        'credentials without authorize',
        { id: 'c', name: 'C', type: 'credentials', credentials: {} },
        MissingAuthorize,
        /"c": `authorize` is missing\. Add a function/,
      ],
      [
        'credentials with inputs that are none',
        { ...credentials(), credentials: { a: 'text' } },
        InvalidConfiguration,
        /`providers\.credentials\.credentials\.a` must be an object/,
      ],
      [
        'an e-mail provider without an adapter',
        { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} },
        MissingAdapter,
        /Email links require a database\. Set an `adapter`/,
      ],
      [
        'an e-mail provider that sends nothing',
        { id: 'mail', name: 'Mail', type: 'email' },
        InvalidConfiguration,
        /`providers\.mail\.sendVerificationRequest` must be a function/,
      ],
      [
        'a passkey provider',
        { id: 'key', name: 'Key', type: 'passkey' },
        ExperimentalFeatureNotEnabled,
        /"key": .*`experimental: \{ enableWebAuthn: true \}`/,
      ],
    ]
    for (const [name, provider, Class, message, env] of cases) {
      it(name, () => {
        const error = thrownBy(() => resolveAll([provider], env))
        expect(error).to.be.instanceOf(Class)
        expect(error.message).to.match(message)
      })
    }

    it('two of one id', () => {
      const error = thrownBy(() => resolveAll([oidc, { ...oauth, id: 'my-own' }]))
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.equal(
        'Two providers have the id "my-own". Ids are part of URLs: give one of them another `id`.',
      )
    })

    it('the place in the list, for one of several', () => {
      expect(thrownBy(() => resolveAll([oidc, null])).message).to.include('`providers[1]`')
    })
  })

  it('have ids that are no names of the prototype', () => {
    const providers = resolveAll([
      { ...oidc, id: '__proto__' },
      { ...oidc, id: 'constructor' },
    ])
    expect([...providers.keys()]).to.deep.equal(['__proto__', 'constructor'])
    expect(resolveAll([oidc]).get('constructor')).to.equal(undefined)
  })
})
