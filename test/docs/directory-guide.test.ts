/** The guide to user directories: its program, with the requests of Okta and Entra ID, and with attacks. Needs `npm run build`. */
import { expect } from 'chai'
import {
  type Company,
  type DirectoryStage,
  expectError,
  openDirectory,
  operations,
  scimUser,
} from './directory-stage.js'
import { compile } from './guide-code.js'

const list = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const filter = (attribute: string, value: string) => `/Users?filter=${encodeURIComponent(`${attribute} eq "${value}"`)}`

for (const strategy of ['database', 'jwt'] as const) {
  describe(`the guide to user directories, with ${strategy} sessions`, function () {
    this.timeout(60_000)
    this.slow(10_000)
    let stage: DirectoryStage
    let acme: Company
    let beta: Company
    before(async () => {
      stage = await openDirectory(strategy)
      acme = await stage.company('acme')
      beta = await stage.company('beta')
    })
    after(() => stage?.close())

    /** Adds a user to a directory. Returns its id there. */
    const added = async (company: Company, name: string, more: object = {}): Promise<string> => {
      const { status, body } = await company.scim('post', '/Users', scimUser(`${name}@${company.domain}`, more))
      expect(status, JSON.stringify(body)).to.equal(201)
      return body.id
    }
    const deactivated = operations({ op: 'replace', value: { active: false } })

    if (strategy === 'database') it('compiles, strictly', () => compile(stage.folder))

    it('passes the eleven required steps of Okta', async () => {
      const { scim } = acme
      await added(acme, 'first')
      const page = await scim('get', '/Users?count=1&startIndex=1')
      expect(page.status).to.equal(200)
      expect(page.body.schemas).to.deep.equal([list])
      for (const name of ['itemsPerPage', 'startIndex', 'totalResults']) expect(page.body[name]).to.be.a('number')
      expect(page.body.Resources).to.have.length(1)
      const [one] = page.body.Resources
      for (const text of [one.id, one.name.familyName, one.name.givenName, one.userName, one.emails[0].value])
        expect(text).to.be.a('string').and.not.equal('')
      expect(one.active).to.equal(true)
      const read = await scim('get', `/Users/${one.id}`)
      expect([read.status, read.body]).to.deep.equal([200, one])
      const unknown = await scim('get', filter('userName', 'nobody@acme.example'))
      expect(unknown.body).to.deep.equal({
        schemas: [list],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      })
      expectError(await scim('get', '/Users/010101001010101011001010101011'), 404)
      const email = 'Okta.User@acme.example'
      expect((await scim('get', filter('userName', email))).body.totalResults).to.equal(0)
      const created = await scim('post', '/Users', scimUser(email))
      expect(created.status).to.equal(201)
      expect(created.body).to.deep.include({
        active: true,
        userName: email,
        name: { givenName: 'Bob', familyName: 'Smith' },
      })
      expect(created.headers.location).to.equal(created.body.meta.location)
      expect(created.body.meta.location).to.equal(`${stage.app.origin}/scim/v2/Users/${created.body.id}`)
      expect((await scim('get', `/Users/${created.body.id}`)).body).to.deep.equal(created.body)
      expectError(await scim('post', '/Users', scimUser(email)), 409)
      const capitals = await scim('get', filter('userName', email.toUpperCase()))
      expect(capitals.body.Resources.map(({ id }: { id: string }) => id)).to.deep.equal([created.body.id])
      expectError(await stage.scimWith()('get', '/Users?startIndex=1&count=100'), 401)
      expectError(await scim('get', '/NoSuchEndpoint'), 404)
      const replaced = await scim('put', `/Users/${created.body.id}`, { ...created.body, displayName: 'Robert' })
      expect([replaced.status, replaced.body]).to.deep.equal([200, { ...created.body, displayName: 'Robert' }])
      const off = await scim('put', `/Users/${created.body.id}`, { ...replaced.body, active: false })
      expect(off.body.active).to.equal(false)
    })

    it('answers the requests of Entra ID', async () => {
      const { scim } = acme
      const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
      const email = 'entra@acme.example'
      expect((await scim('get', filter('userName', 'f3b1-random-of-the-connection-test'))).body.totalResults).to.equal(
        0,
      )
      expect((await scim('get', filter('externalId', 'entra-1'))).body.totalResults).to.equal(0)
      const created = await scim('post', '/Users', {
        ...scimUser(email, { externalId: 'entra-1', emails: undefined, active: 'True' }),
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
        [enterprise]: { department: 'Sales', manager: '' },
        meta: { resourceType: 'User' },
        roles: [],
      })
      expect(created.status, JSON.stringify(created.body)).to.equal(201)
      const path = `/Users/${created.body.id}`
      const person = await stage.signIn(email)
      const patches: ReadonlyArray<readonly [title: string, operations: object[], expected: object]> = [
        ['a capitalised operation', [{ op: 'Replace', path: 'displayName', value: 'Rob' }], { displayName: 'Rob' }],
        [
          'a dotted path',
          [{ op: 'Add', path: 'name.givenName', value: 'Rob' }],
          { name: { givenName: 'Rob', familyName: 'Smith' } },
        ],
        [
          'an address where none is',
          [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@acme.example' }],
          { emails: [{ value: 'x@acme.example', type: 'work', primary: true }] },
        ],
        ['an empty manager', [{ op: 'Add', path: `${enterprise}:manager`, value: '' }], {}],
        ['a manager', [{ op: 'Add', path: `${enterprise}:manager`, value: [{ $ref: 'x', value: '7' }] }], {}],
        ['an attribute that is not kept', [{ op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' }], {}],
        [
          'a full path',
          [{ op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'Bobby' }],
          { displayName: 'Bobby' },
        ],
        [
          'dotted names in a value',
          [{ op: 'Replace', value: { 'name.familyName': 'Jones', title: 'CEO' } }],
          { name: { givenName: 'Rob', familyName: 'Jones' } },
        ],
        ['a removed attribute', [{ op: 'Remove', path: 'displayName' }], { displayName: undefined }],
        [
          'another user name',
          [{ op: 'Replace', path: 'userName', value: 'Entra2@acme.example' }],
          { userName: 'Entra2@acme.example' },
        ],
        ['false as text', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
        ['false again', [{ op: 'Replace', path: 'active', value: false }], { active: false }],
        ['true as text, without a path', [{ op: 'Replace', value: { active: 'True' } }], { active: true }],
        ['false without a path', [{ op: 'Add', value: { active: false } }], { active: false }],
        ['true', [{ op: 'Add', path: 'active', value: true }], { active: true }],
      ]
      for (const [title, given, expected] of patches) {
        const { status, body } = await scim('patch', path, operations(...given))
        expect(status, `${title}: ${JSON.stringify(body)}`).to.equal(200)
        for (const [name, value] of Object.entries(expected)) expect(body[name], title).to.deep.equal(value)
        expect((await scim('get', path)).body, title).to.deep.equal(body)
        expect(await (await stage.signIn(email)).status(`/o/${acme.id}`), title).to.equal(body.active ? 200 : 404)
      }
      expectError(await scim('get', '/Groups?excludedAttributes=members'), 404)
      expect((await scim('get', filter('externalId', 'entra-1'))).body.totalResults).to.equal(1)
      expect((await scim('delete', path)).status).to.equal(204)
      expectError(await scim('get', path), 404)
      expect(await person.call('user', { email })).to.have.nested.property('user.email', email)
      // The directory restores the user within 30 days.
      expect((await scim('post', '/Users', scimUser(email))).status).to.equal(201)
      expect(await (await stage.signIn(email)).status(`/o/${acme.id}`)).to.equal(200)
    })

    it('ends membership, sessions and keys at once when a user is deactivated or deleted', async () => {
      for (const end of ['patch', 'put', 'delete'] as const) {
        const id = await added(acme, `leaver-${end}`)
        const person = await stage.signIn(`leaver-${end}@acme.example`)
        const other = await stage.signIn(person.email)
        expect(other.id).to.equal(person.id)
        const [own, ofAcme] = [
          await person.call('key', { scope: 'notes' }),
          await person.call('key', { scope: 'notes', organization: acme.id }),
        ]
        const uses = async () => [
          await person.status(`/o/${acme.id}`),
          await other.status(`/o/${acme.id}`),
          await acme.scim('get', `/Users/${id}`).then(() => stage.app && statusOf(stage, '/test/use-key', own.key)),
          await statusOf(stage, `/test/use-key/${acme.id}`, ofAcme.key),
        ]
        expect(await uses()).to.deep.equal([200, 200, 200, 200])
        const body =
          end === 'put' ? scimUser(person.email, { active: false }) : end === 'patch' ? deactivated : undefined
        expect((await acme.scim(end, `/Users/${id}`, body)).status).to.equal(end === 'delete' ? 204 : 200)
        expect(await uses()).to.deep.equal([401, 401, 401, 401])
        const { sessions } = (await acme.owner.call('user', { email: person.email })) as { sessions: unknown[] }
        expect(sessions).to.have.length(0)
        // A new sign-in makes no member.
        expect(await (await stage.signIn(person.email)).status(`/o/${acme.id}`)).to.equal(404)
      }
    })

    it('ends only the membership of a user who belongs to another organization', async () => {
      const person = await stage.signIn('both@acme.example')
      await beta.owner.call('admit', { organization: beta.id, userId: person.id, role: 'member' })
      const id = await added(acme, 'both')
      const [ofAcme, ofBeta] = [
        await person.call('key', { scope: 'notes', organization: acme.id }),
        await person.call('key', { scope: 'notes', organization: beta.id }),
      ]
      expect((await acme.scim('patch', `/Users/${id}`, deactivated)).status).to.equal(200)
      expect([await person.status(`/o/${acme.id}`), await person.status(`/o/${beta.id}`)]).to.deep.equal([404, 200])
      expect(await statusOf(stage, `/test/use-key/${acme.id}`, ofAcme.key)).to.equal(401)
      expect(await statusOf(stage, `/test/use-key/${beta.id}`, ofBeta.key)).to.equal(200)
    })

    it('keeps the last owner', async () => {
      const gamma = await stage.company('gamma')
      const id = await added(gamma, 'owner')
      for (const [method, body] of [
        ['patch', deactivated],
        ['put', scimUser('owner@gamma.example', { active: false })],
        ['delete', undefined],
      ] as const) {
        expectError(await gamma.scim(method, `/Users/${id}`, body), 409)
        expect((await gamma.scim('get', `/Users/${id}`)).body.active).to.equal(true)
      }
      expect(await gamma.owner.status(`/o/${gamma.id}`)).to.equal(200)
      const second = await stage.signIn('second@gamma.example')
      await gamma.owner.call('admit', { organization: gamma.id, userId: second.id, role: 'owner' })
      expect((await gamma.scim('patch', `/Users/${id}`, deactivated)).status).to.equal(200)
      // The key was that of the owner who left.
      expectError(await gamma.scim('get', '/Users'), 401)
    })

    it('keeps a user whom an owner has removed outside of the organization', async () => {
      const id = await added(acme, 'removed')
      const person = await stage.signIn('removed@acme.example')
      expect(await acme.owner.call('remove', { organization: acme.id, userId: person.id })).to.include({ ok: true })
      expect((await acme.scim('put', `/Users/${id}`, scimUser(person.email))).status).to.equal(200)
      expect(await person.status(`/o/${acme.id}`)).to.equal(404)
    })
  })
}

/** Returns the status of a page that takes a key. */
async function statusOf({ app }: DirectoryStage, path: string, key: unknown): Promise<number> {
  return (await fetch(app.origin + path, { headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' } }))
    .status
}
