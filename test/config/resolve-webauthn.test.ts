/** Providers of passkeys: their defaults and options. Rejected options are in `resolve-webauthn-refused`. */
import { expect } from 'chai'
import Passkey from '../../lib/providers/passkey.js'
import WebAuthn from '../../lib/providers/webauthn.js'
import { production, resolve, type Setting } from './resolving-webauthn.js'

describe('resolveWebAuthn', () => {
  it('has defaults: a PIN or a finger for both ceremonies, and three algorithms', () => {
    const resolved = resolve(Passkey())
    const { isOrigin: _, ...site } = resolved.relyingParty
    expect({ ...resolved, relyingParty: site }).to.deep.equal({
      kind: 'webauthn',
      type: 'webauthn',
      id: 'passkey',
      name: 'Passkey',
      style: {},
      relyingParty: { id: 'localhost', name: 'localhost' },
      conditionalUI: true,
      offersAfterPassword: true,
      formFields: {
        email: {
          type: 'email',
          inputmode: 'email',
          autocomplete: 'username webauthn',
          placeholder: 'you@example.com',
          maxlength: 254,
        },
      },
      residentKey: 'required',
      authentication: { userVerification: 'required', requireUserVerification: true },
      registration: {
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: [-8, -7, -257],
        requireUserVerification: true,
      },
      timeout: 300_000,
    })
    for (const part of [resolved, resolved.relyingParty, resolved.formFields, resolved.authentication]) {
      expect(Object.isFrozen(part)).to.equal(true)
    }
  })

  it('asks `WebAuthn` for a passkey that need not be found without a name', () => {
    expect(resolve(WebAuthn())).to.include({ id: 'webauthn', residentKey: 'preferred' })
    expect(resolve({ id: 'key', name: 'Key', type: 'passkey' }).residentKey).to.equal('required')
    expect(resolve({ id: 'key', name: 'Key', type: 'webauthn' }).residentKey).to.equal('preferred')
  })

  it('accepts a function of the catalogue, uncalled', () => {
    expect(resolve(Passkey).id).to.equal('passkey')
  })

  it('requires what it requests', () => {
    const lax = { userVerification: 'preferred' } as const
    const asked = resolve(Passkey({ authenticationOptions: lax, registrationOptions: { authenticatorSelection: lax } }))
    expect(asked.authentication).to.include({ userVerification: 'preferred', requireUserVerification: false })
    expect(asked.registration).to.include({ requireUserVerification: false })
    expect(asked.registration.authenticatorSelection).to.include({ residentKey: 'required' })
  })

  describe('finds the site', () => {
    const accepts = (provider: unknown, setting: Setting, origins: readonly string[]) => {
      const { relyingParty } = resolve(provider, setting)
      return [relyingParty.id, ...origins.filter((origin) => relyingParty.isOrigin(origin))]
    }

    it('on this machine by default, on any port', () => {
      const origins = ['http://localhost', 'http://localhost:3000', 'https://localhost', 'http://localhost.evil.test']
      const none = [
        'http://127.0.0.1:3000',
        'http://sub.localhost',
        'https://localhost.evil.test',
        'https://app.test',
        'http://localhost/',
        '',
        'null',
      ]
      expect(accepts(Passkey(), {}, [...origins, ...none])).to.deep.equal([
        'localhost',
        'http://localhost',
        'http://localhost:3000',
        'https://localhost',
      ])
    })

    it('by `AUTH_URL`, without its path and its subdomain', () => {
      const env = { ...production, AUTH_URL: 'https://app.example.com/api/auth' }
      const origins = ['https://app.example.com', 'https://example.com', 'http://app.example.com', 'http://localhost']
      expect(accepts(Passkey(), { env }, origins)).to.deep.equal(['app.example.com', 'https://app.example.com'])
    })

    it('by `relyingParty`, before `AUTH_URL`', () => {
      const env = { ...production, AUTH_URL: 'https://app.example.com' }
      const relyingParty = {
        id: 'example.com',
        name: 'Example',
        origin: ['https://a.example.com', 'https://example.com'],
      }
      const origins = ['https://a.example.com', 'https://example.com', 'https://app.example.com']
      expect(accepts(Passkey({ relyingParty }), { env }, origins)).to.deep.equal([
        'example.com',
        'https://a.example.com',
        'https://example.com',
      ])
      expect(resolve(Passkey({ relyingParty }), { env }).relyingParty.name).to.equal('Example')
      const parent = Passkey({ relyingParty: { id: 'example.com' } })
      expect(accepts(parent, { env }, origins)).to.deep.equal(['example.com', 'https://app.example.com'])
    })

    it('by the host of the first web origin, beside those of native apps', () => {
      const origin = ['android:apk-key-hash:x', 'ios:bundle-id:y', 'https://app.example.com:8443']
      expect(accepts(Passkey({ relyingParty: { origin } }), { env: production }, origin)).to.deep.equal([
        'app.example.com',
        ...origin,
      ])
    })

    it('by the spelling of Auth.js', () => {
      const provider = { ...Passkey(), relayingParty: { id: 'example.com', origin: 'https://example.com' } }
      expect(resolve(provider, { env: production }).relyingParty.id).to.equal('example.com')
    })
  })

  it('needs no input for autofill if there is no autofill, and no form', () => {
    const formFields = { email: { label: 'Email' } }
    expect(resolve(Passkey({ formFields, enableConditionalUI: false })).conditionalUI).to.equal(false)
    expect(resolve(Passkey({ formFields: {} }))).to.deep.include({ formFields: {}, conditionalUI: true })
    const others = [WebAuthn({ enableConditionalUI: false })]
    expect(resolve(Passkey(), { others }).conditionalUI).to.equal(true)
  })
})
