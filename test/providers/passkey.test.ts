/** The two providers of passkeys, as the catalogue has them. */
import { expect } from 'chai'
import Passkey from '../../lib/providers/passkey.js'
import WebAuthn from '../../lib/providers/webauthn.js'

for (const [Provider, id, name, residentKey] of [
  [Passkey, 'passkey', 'Passkey', 'required'],
  [WebAuthn, 'webauthn', 'WebAuthn', 'preferred'],
] as const) {
  describe(`${name}()`, () => {
    it('is data, and needs no option', () => {
      const registrationOptions = { authenticatorSelection: { residentKey } }
      expect(Provider()).to.deep.equal({ id, name, type: 'webauthn', registrationOptions })
    })

    it('takes every option over its own values', () => {
      const options = {
        id: 'key',
        name: 'Key',
        relyingParty: { id: 'example.com', name: 'Example', origin: 'https://example.com' },
        enableConditionalUI: false,
        formFields: {},
        authenticationOptions: { userVerification: 'preferred' },
        registrationOptions: { attestationType: 'direct', authenticatorSelection: { residentKey: 'discouraged' } },
        timeout: 1000,
        getUserInfo: () => null,
        style: { logo: '/key.svg' },
      } as const
      expect(Provider(options)).to.deep.equal({ ...options, type: 'webauthn' })
    })

    it('keeps its kind of passkey where other options of making one are given', () => {
      const authenticatorSelection = { userVerification: 'preferred' } as const
      expect(Provider({ registrationOptions: { attestationType: 'none', authenticatorSelection } })).to.deep.include({
        registrationOptions: {
          attestationType: 'none',
          authenticatorSelection: { residentKey, userVerification: 'preferred' },
        },
      })
    })

    it('changes nothing of what it is given', () => {
      const options = Object.freeze({ registrationOptions: Object.freeze({ attestationType: 'none' as const }) })
      Provider(options)
      expect(options).to.deep.equal({ registrationOptions: { attestationType: 'none' } })
    })
  })
}
