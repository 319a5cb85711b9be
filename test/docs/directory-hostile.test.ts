/** The guide to user directories: hostile bodies and queries, and the lists of its program. Needs `npm run build`. */
import { expect } from 'chai'
import request from 'supertest'
import {
  type Company,
  type DirectoryStage,
  expectError,
  openDirectory,
  operations,
  scimUser,
} from './directory-stage.js'

describe('the requests to the program of the guide to user directories', function () {
  this.timeout(60_000)
  this.slow(10_000)
  let stage: DirectoryStage
  let acme: Company
  before(async () => {
    stage = await openDirectory('database')
    acme = await stage.company('acme')
  })
  after(() => stage?.close())

  it('answers hostile requests with an error of the client', async () => {
    const { scim } = acme
    const { id } = (await scim('post', '/Users', scimUser('hostile@acme.example'))).body
    const path = `/Users/${id}`
    const before = (await scim('get', path)).body
    const user = scimUser('x@acme.example')
    const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
    const bodies: ReadonlyArray<object | string> = [
      ...[
        { ...user, userName: 7 },
        { ...user, userName: ['a'] },
        { ...user, userName: {} },
        { ...user, userName: '' },
      ],
      ...[
        { ...user, userName: ' ' },
        { ...user, userName: 'x'.repeat(300) },
        { ...user, externalId: 'x'.repeat(300) },
      ],
      // PostgreSQL stores no U+0000, and this letter has two characters in lower case.
      ...[
        { ...user, userName: 'a\u0000b' },
        { ...user, externalId: 'a\u0000b' },
        { ...user, userName: '\u0130'.repeat(200) },
      ],
      ...[
        { ...user, externalId: 7 },
        { ...user, active: 'maybe' },
        { ...user, active: {} },
        { ...user, active: 1 },
      ],
      ...[
        { ...user, emails: 'x' },
        { ...user, emails: [7] },
        { ...user, name: [] },
        { ...user, name: 'Bob' },
      ],
      ...[{ ...user, displayName: 'x'.repeat(5000) }, { ...user, schemas: ['urn:other'] }, [], [user], {}],
      ...['', 'null', '7', '"text"', '{"userName"', '\u0000', '{"__proto__":{"active":false}}'],
      ...[nested('[', ']', 40_000), `{"userName":"a","name":{"givenName":${nested('{"a":', '}', 15_000)}}}`],
      `{"userName":"a","emails":${nested('[', ']', 40_000)}}`,
    ]
    for (const body of bodies) {
      const title = typeof body === 'string' ? body.slice(0, 60) : JSON.stringify(body).slice(0, 200)
      for (const [method, to] of [
        ['post', '/Users'],
        ['put', path],
      ] as const) {
        const { status } = await scim(method, to, body)
        expect(status, `${method} ${title}`).to.be.within(400, 499)
      }
    }
    const patches: readonly unknown[] = [
      ...[
        null,
        7,
        'text',
        [],
        {},
        { op: 'replace' },
        { op: 'destroy', path: 'active' },
        { op: 'remove' },
        { op: ['add'] },
      ],
      ...[
        { op: 'replace', value: null },
        { op: 'replace', value: [] },
        { op: 'replace', path: 7, value: 1 },
      ],
      ...[
        { op: 'replace', path: 'active', value: {} },
        { op: 'replace', path: 'active', value: 'maybe' },
      ],
      ...[
        { op: 'remove', path: 'userName' },
        { op: 'replace', path: 'emails', value: [null] },
      ],
    ]
    for (const each of patches) expectError(await scim('patch', path, operations(each)), 400)
    for (const body of [
      {},
      { Operations: 'x' },
      { Operations: {} },
      operations(),
      operations(...Array(200).fill({ op: 'add' })),
    ])
      expectError(await scim('patch', path, body), 400)
    for (const each of [
      '__proto__',
      'constructor',
      '__proto__.active',
      'emails['.repeat(20),
      `name.${'a'.repeat(5000)}`,
    ])
      expect(
        (await scim('patch', path, operations({ op: 'add', path: each, value: { active: false } }))).status,
      ).to.equal(200)
    expectError(await scim('post', '/Users', `{"userName":"${'x'.repeat(1e6)}"}`), 413)
    for (const query of ['startIndex=x', 'count=1e3', 'count=[]', 'startIndex=1&startIndex=2', 'filter='])
      expectError(await scim('get', `/Users?${query}`), 400)
    for (const filter of [
      '(',
      'userName',
      'userName eq 7',
      'userName sw "a"',
      'userName eq "a" or userName pr',
      'userName eq "\\u0041"',
      'userName eq "a\nb"',
      'externalId eq "a\u0000b"',
      `userName eq "${'a'.repeat(7000)}"`,
    ])
      expectError(await scim('get', `/Users?filter=${encodeURIComponent(filter)}`), 400)
    for (const [method, to] of [
      ['post', '/Bulk'],
      ['post', '/.search'],
      ['get', '/Me'],
      ['post', '/Users/.search'],
    ] as const)
      expectError(await scim(method, to, method === 'post' ? {} : undefined), 404)
    for (const id of ['%00', 'x'.repeat(5000), '%E0%A4%A']) {
      const { status } = await scim('get', `/Users/${id}`)
      expect(status, id.slice(0, 10)).to.be.oneOf([400, 404])
    }
    const typed = await request(stage.app.origin)
      .post('/scim/v2/Users')
      .set('Authorization', `Bearer ${acme.token}`)
      .type('text')
      .send('x')
    expectError(typed, 400)
    const pages = [await scim('get', '/Users?startIndex=-5&count=-1'), await scim('get', '/Users?startIndex=999999999')]
    for (const { status, body } of pages) expect([status, body.Resources]).to.deep.equal([200, []])
    expect((await scim('get', path)).body).to.deep.equal(before)
    expect(stage.app.log()).to.not.match(/TypeError|RangeError|at Object/)
  })

  it('pages the whole directory, each user once', async () => {
    const seen = new Set<string>()
    for (const name of ['a', 'b', 'c', 'd']) await acme.scim('post', '/Users', scimUser(`${name}@acme.example`))
    const { totalResults } = (await acme.scim('get', '/Users?count=0')).body
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 2) {
      const { body } = await acme.scim('get', `/Users?startIndex=${startIndex}&count=2`)
      expect(body.totalResults).to.equal(totalResults)
      for (const { id } of body.Resources) seen.add(id)
    }
    expect(seen.size).to.equal(totalResults)
  })

  it('describes itself', async () => {
    const config = (await acme.scim('get', '/ServiceProviderConfig')).body
    expect([config.patch.supported, config.bulk.supported, config.sort.supported]).to.deep.equal([true, false, false])
    expect((await acme.scim('get', '/ResourceTypes')).body.Resources.map(({ id }: { id: string }) => id)).to.deep.equal(
      ['User'],
    )
    const [schema] = (await acme.scim('get', '/Schemas')).body.Resources
    expect(schema.attributes.map(({ name }: { name: string }) => name).sort()).to.deep.equal([
      'active',
      'displayName',
      'emails',
      'name',
      'userName',
    ])
  })
})
