/** The guide to SAML: its checks, by documents that are signed here. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import fc from 'fast-check'
import { properties } from '../properties/runs.js'
import { rejectionOf } from '../support/rejection.js'
import { attributeStatement, encoded, metadataOf, parties, validResponse } from '../support/saml-documents.js'
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

  it('finds the user by an attribute, if the program says so', async () => {
    const { serviceProvider } = await import(pathToFileURL(join(folder, 'saml.ts')).href)
    const { entityId, site } = parties
    const byAttribute: Provider = serviceProvider({ metadata: metadataOf(), entityId, site, subject: 'id' })
    const verify = (values: Readonly<Record<string, readonly string[]>>) =>
      byAttribute.verify(encoded(validResponse({ format: 'urn:a', more: attributeStatement(values) })))
    expect((await verify({ id: ['7'], mail: ['a'] })).subject).to.equal('7')
    for (const values of [{ id: ['7', '8'] }, { ID: ['7'] }, { id: [''] }] as Array<Record<string, string[]>>) {
      expect(await rejectionOf(verify(values))).to.have.property('message', 'SAML: the user has no id')
    }
  })

  it('does not start with the metadata of another entity, or without a key', async () => {
    const { serviceProvider } = await import(pathToFileURL(join(folder, 'saml.ts')).href)
    const { entityId, site } = parties
    const other = () => serviceProvider({ metadata: metadataOf(), entityId: 'https://evil.example', site })
    expect(other).to.throw('the metadata are of another entity')
    const metadata = metadataOf().replace('use="signing"', 'use="encryption"')
    expect(() => serviceProvider({ metadata, entityId, site })).to.throw('the metadata have no')
  })

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
