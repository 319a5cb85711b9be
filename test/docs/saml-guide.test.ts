/** The guide to SAML: its checks, by documents that are signed here. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import fc from 'fast-check'
import { properties } from '../properties/runs.js'
import { encoded, metadataOf, parties } from '../support/saml-documents.js'
import { editedDocuments } from '../support/saml-edits.js'
import { compile, remove, unpack } from './guide-code.js'
import { bad, good } from './saml-cases.js'

/** The content of an accepted response, as `saml.ts` of the guide returns it. */
interface Accepted {
  readonly requestId?: string
  readonly subject: string
  readonly name?: string
}

interface Provider {
  verify(field: unknown): Promise<Accepted>
}

describe('the guide to SAML', function () {
  this.timeout(90_000)
  const folder = unpack('guides/saml.md')
  after(() => remove(folder))
  let provider: Provider

  before(async () => {
    const { serviceProvider } = await import(pathToFileURL(join(folder, 'saml.ts')).href)
    const { entityId, site } = parties
    provider = serviceProvider({ metadata: metadataOf(), entityId, site, name: 'displayName' })
  })

  const outcome = (field: unknown) =>
    provider.verify(field).then(
      ({ subject }) => subject,
      (error: Error) => error.message,
    )

  it('compiles, strictly', () => compile(folder))

  it('accepts no user but the signed one, and fails in no other way, with changed documents', () =>
    properties(
      fc.asyncProperty(editedDocuments, async (xml) => {
        expect(await outcome(encoded(xml))).to.match(/^(?:SAML: .*|ann-1)$/)
      }),
    ))

  describe('accepts', () => {
    for (const [title, field] of good) it(title, async () => expect(await outcome(field())).to.equal(parties.subject))
  })

  describe('refuses', () => {
    for (const [title, field, reason = ''] of bad) {
      it(title, async () =>
        expect(await outcome(field()))
          .to.match(/^SAML: /)
          .and.contain(reason),
      )
    }
  })
})
