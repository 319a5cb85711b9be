/** Providers of passkeys that cannot work: each message says what to change. */
import { expect } from 'chai'
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  MissingAdapter,
  MissingWebAuthnAutocomplete,
} from '../../lib/errors.js'
import Passkey from '../../lib/providers/passkey.js'
import WebAuthn from '../../lib/providers/webauthn.js'
import { thrownBy } from '../support/rejection.js'
import { production, resolve, type Setting } from './resolving-webauthn.js'

describe('resolveWebAuthn refuses, naming the option and what to change:', () => {
  type Class = new (...args: never[]) => Error
  const rp = (relyingParty: unknown) => ({ ...Passkey(), relyingParty })
  const fields = { email: { label: 'Email', autocomplete: 'email' } }
  const cases: ReadonlyArray<[what: string, provider: unknown, Class: Class, message: RegExp, setting?: Setting]> = [
    [
      'passkeys that are not enabled',
      Passkey(),
      ExperimentalFeatureNotEnabled,
      /"passkey": .*Set `experimental: \{ enableWebAuthn: true \}`/,
      { config: { experimental: {} } },
    ],
    [
      'passkeys without an adapter',
      Passkey(),
      MissingAdapter,
      /Set an `adapter`, for example `memoryAdapter\(\)`/,
      { config: { adapter: undefined } },
    ],
    [
      'production without a site',
      Passkey(),
      InvalidConfiguration,
      /must not come from a request\. Set AUTH_URL, or `relyingParty: \{/,
      { env: production },
    ],
    [
      'production with a domain and no origin',
      rp({ id: 'example.com' }),
      InvalidConfiguration,
      /Set AUTH_URL, or `relyingParty/,
      { env: production },
    ],
    [
      'a site on plain http',
      Passkey(),
      InvalidConfiguration,
      /"http:\/\/app\.example\.com" must be an https origin.*http works on localhost only/,
      { env: { AUTH_URL: 'http://app.example.com' } },
    ],
    [
      'a site at an IP address',
      Passkey(),
      InvalidConfiguration,
      /relyingParty\.id` to your domain; on your own machine open the site as http:\/\/localhost/,
      { env: { AUTH_URL: 'http://127.0.0.1:3000' } },
    ],
    [
      'an URL for a domain',
      rp({ id: 'https://example.com' }),
      InvalidConfiguration,
      /relyingParty\.id` to your domain/,
    ],
    ['a domain with a port', rp({ id: 'example.com:8443' }), InvalidConfiguration, /relyingParty\.id` to your domain/],
    ['a domain in capitals', rp({ id: 'Example.com' }), InvalidConfiguration, /relyingParty\.id` to your domain/],
    ['a top-level domain', rp({ id: 'com' }), InvalidConfiguration, /relyingParty\.id` to your domain/],
    [
      'a domain that is no text',
      rp({ id: 7 }),
      InvalidConfiguration,
      /`providers\.passkey\.relyingParty\.id` must be a non-empty string, not 7/,
    ],
    [
      'an origin with a path',
      rp({ origin: 'https://example.com/' }),
      InvalidConfiguration,
      /"https:\/\/example\.com\/" must be an https origin without a path/,
    ],
    ['an origin without a scheme', rp({ origin: 'example.com' }), InvalidConfiguration, /relyingParty/],
    [
      'no origins',
      rp({ origin: [] }),
      InvalidConfiguration,
      /`providers\.passkey\.relyingParty\.origin` must be an origin such as/,
    ],
    [
      'an origin that is no text',
      rp({ origin: ['https://example.com', 7] }),
      InvalidConfiguration,
      /must be an origin such as/,
    ],
    [
      'origins of native apps alone',
      rp({ origin: 'android:apk-key-hash:x' }),
      InvalidConfiguration,
      /is a web site.*Set `relyingParty\.id` to your domain/,
    ],
    [
      'a misspelt part of the site',
      rp({ origins: 'https://example.com' }),
      InvalidConfiguration,
      /no option `providers\.passkey\.relyingParty\.origins`\. Did you mean `origin`\?/,
    ],
    [
      'a site that is no object',
      rp('example.com'),
      InvalidConfiguration,
      /`providers\.passkey\.relyingParty` must be an object, not a string/,
    ],
    [
      'autofill without an input for it',
      Passkey({ formFields: fields }),
      MissingWebAuthnAutocomplete,
      /needs `autocomplete: 'username webauthn'`\. Add it, or set `enableConditionalUI: false`/,
    ],
    [
      'autofill at two providers',
      Passkey(),
      DuplicateConditionalUI,
      /"passkey" and "webauthn" .*Set `enableConditionalUI: false` on all but one/,
      { others: [WebAuthn()] },
    ],
    [
      'an answer that is no word',
      { ...Passkey(), enableConditionalUI: 'no' },
      InvalidConfiguration,
      /`providers\.passkey\.enableConditionalUI` must be true or false/,
    ],
    [
      'form fields of which no account can be made',
      Passkey({ enableConditionalUI: false, formFields: { name: { label: 'Name' } } }),
      InvalidConfiguration,
      /`formFields` has no `email`\. Add it, or return the user from `getUserInfo`\. With `formFields: \{\}`/,
    ],
    [
      'form fields that are no object',
      { ...Passkey(), formFields: ['email'] },
      InvalidConfiguration,
      /`providers\.passkey\.formFields` must be an object, not an array/,
    ],
    [
      'a form field that is no object',
      { ...Passkey(), formFields: { email: true } },
      InvalidConfiguration,
      /`providers\.passkey\.formFields\.email` must be an object/,
    ],
    [
      'a `getUserInfo` that is none',
      { ...Passkey(), getUserInfo: {} },
      InvalidConfiguration,
      /`providers\.passkey\.getUserInfo` must be a function, not an object/,
    ],
    [
      'seconds for milliseconds',
      Passkey({ timeout: 60 }),
      InvalidConfiguration,
      /`providers\.passkey\.timeout` must be milliseconds, from 1000 to 900000/,
    ],
    [
      'an hour to think',
      Passkey({ timeout: 3_600_000 }),
      InvalidConfiguration,
      /from 1000 to 900000 \(15 minutes\), not 3600000/,
    ],
    ['no time at all', Passkey({ timeout: Number.NaN }), InvalidConfiguration, /from 1000 to 900000/],
    [
      'no algorithms',
      Passkey({ registrationOptions: { supportedAlgorithmIDs: [] } }),
      InvalidConfiguration,
      /must be a list of COSE algorithms, such as \[-8, -7, -257\]/,
    ],
    [
      'algorithms by name',
      { ...Passkey(), registrationOptions: { supportedAlgorithmIDs: ['ES256'] } },
      InvalidConfiguration,
      /must be a list of COSE algorithms/,
    ],
    [
      'a wrong word to sign in',
      { ...Passkey(), authenticationOptions: { userVerification: true } },
      InvalidConfiguration,
      /`providers\.passkey\.authenticationOptions\.userVerification` must be "required", "preferred" or "discouraged", not a boolean/,
    ],
    [
      'a wrong word to sign up',
      { ...Passkey(), registrationOptions: { authenticatorSelection: { userVerification: 'yes' } } },
      InvalidConfiguration,
      /authenticatorSelection\.userVerification` must be "required"/,
    ],
    [
      'a wrong word for the memory',
      { ...Passkey(), registrationOptions: { authenticatorSelection: { residentKey: true } } },
      InvalidConfiguration,
      /authenticatorSelection\.residentKey` must be "required"/,
    ],
    [
      'a place for the passkey that there is not',
      { ...Passkey(), registrationOptions: { authenticatorSelection: { authenticatorAttachment: 'phone' } } },
      InvalidConfiguration,
      /authenticatorSelection\.authenticatorAttachment` must be "platform" or "cross-platform", not/,
    ],
    [
      'an attestation that there is not',
      { ...Passkey(), registrationOptions: { attestationType: 'indirect' } },
      InvalidConfiguration,
      /registrationOptions\.attestationType` must be "none", "direct" or "enterprise"/,
    ],
    [
      'a kind of authenticator that there is not',
      { ...Passkey(), registrationOptions: { preferredAuthenticatorType: 'phone' } },
      InvalidConfiguration,
      /preferredAuthenticatorType` must be "securityKey", "localDevice" or "remoteDevice"/,
    ],
    [
      'a misspelt option',
      { ...Passkey(), relyingparty: { id: 'example.com' } },
      InvalidConfiguration,
      /no option `providers\.passkey\.relyingparty`\. Did you mean `relyingParty`\?/,
    ],
    [
      'extensions that are no object',
      { ...Passkey(), authenticationOptions: { extensions: 'uvm' } },
      InvalidConfiguration,
      /`providers\.passkey\.authenticationOptions\.extensions` must be an object, not a string/,
    ],
    [
      'an option of the library below',
      { ...Passkey(), authenticationOptions: { rpID: 'x' } },
      InvalidConfiguration,
      /no option `providers\.passkey\.authenticationOptions\.rpID`\. Known here: userVerification, extensions/,
    ],
    [
      'another one',
      { ...Passkey(), registrationOptions: { challenge: 'x' } },
      InvalidConfiguration,
      /no option `providers\.passkey\.registrationOptions\.challenge`/,
    ],
    [
      'a check of its own at a sign-in',
      { ...Passkey(), verifyAuthenticationOptions: { requireUserVerification: false } },
      InvalidConfiguration,
      /`providers\.passkey\.verifyAuthenticationOptions` is removed: .*`authenticationOptions: \{ userVerification \}`/,
    ],
    [
      'a check of its own when a passkey is made',
      { ...Passkey(), verifyRegistrationOptions: { requireUserVerification: false } },
      InvalidConfiguration,
      /`providers\.passkey\.verifyRegistrationOptions` is removed: .*authenticatorSelection/,
    ],
    [
      'an object of Auth.js',
      { ...Passkey(), simpleWebAuthn: {} },
      InvalidConfiguration,
      /Import it from "server-auth\/providers\/passkey" or "server-auth\/providers\/webauthn"/,
    ],
    [
      'another one of Auth.js',
      { ...Passkey(), getRelayingParty: () => ({}) },
      InvalidConfiguration,
      /is the object of another library/,
    ],
  ]
  for (const [what, provider, Class, message, setting] of cases) {
    it(what, () => {
      const error = thrownBy(() => resolve(provider, setting))
      expect(error).to.be.instanceOf(Class)
      expect(error.message).to.match(message)
    })
  }
})
