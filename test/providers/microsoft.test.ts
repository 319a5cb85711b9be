/** The proofs of an address at Microsoft: never the claim of an arbitrary tenant (nOAuth). */
import { expect } from 'chai'
import AzureAD from '../../lib/providers/azure-ad.js'
import MicrosoftEntraID from '../../lib/providers/microsoft-entra-id.js'

const person = { sub: 's', tid: 't', email: 'victim@example.com' }
const tenant = 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0'

for (const create of [MicrosoftEntraID, AzureAD]) {
  describe(`${create.name}: an address`, () => {
    it('of any tenant is no proof, and may not be linked', () => {
      for (const issuer of [undefined, 'https://login.microsoftonline.com/organizations/v2.0']) {
        expect(create(issuer ? { issuer } : {}).emailVerified?.(person)).to.equal(false)
      }
    })

    it('of the one tenant that the application is for says nothing', () => {
      expect(create({ issuer: tenant }).emailVerified?.(person)).to.equal(undefined)
    })

    it('of a domain that the tenant owns is verified', () => {
      for (const owned of [true, 1, '1', 'true']) {
        expect(create().emailVerified?.({ ...person, xms_edov: owned })).to.equal(true)
      }
      for (const owned of [false, 0, '0', 'false']) {
        expect(create({ issuer: tenant }).emailVerified?.({ ...person, xms_edov: owned })).to.equal(false)
      }
    })
  })
}
