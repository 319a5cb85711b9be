/** The guide to user directories: requests that its program rejects. Needs `npm run build`. */
import { expect } from 'chai'
import request from 'supertest'
import {
  type Company,
  type DirectoryStage,
  employee,
  expectError,
  openDirectory,
  operations,
  type Person,
  scimUser,
} from './directory-stage.js'

describe('the program of the guide to user directories', function () {
  this.timeout(60_000)
  this.slow(10_000)
  let stage: DirectoryStage
  let acme: Company
  let beta: Company
  let victim: Person
  /** The id of the victim in the directory of Beta. */
  let entry: string
  before(async () => {
    stage = await openDirectory('database')
    acme = await stage.company('acme')
    beta = await stage.company('beta')
    const { body } = await beta.scim('post', '/Users', scimUser('victim@beta.example', { externalId: 'same' }))
    entry = body.id
    victim = await stage.signIn('victim@beta.example')
  })
  after(() => stage?.close())

  /** Returns everything that is stored of the victim. */
  const stored = async () => [
    await victim.call('user', { email: victim.email }),
    (await beta.scim('get', `/Users/${entry}`)).body,
    await victim.status(`/o/${beta.id}`),
    await victim.status(`/o/${acme.id}`),
  ]

  it('shows no organization the users of another one', async () => {
    const before = await stored()
    expect(before.slice(2)).to.deep.equal([200, 404])
    const taken = scimUser('victim@beta.example', { displayName: 'Eve' })
    for (const [method, body] of [
      ['get', undefined],
      ['put', { ...taken, active: false }],
      ['patch', operations({ op: 'replace', path: 'active', value: false })],
      ['delete', undefined],
    ] as const)
      expectError(await acme.scim(method, `/Users/${entry}`, body), 404)
    for (const filter of ['userName eq "victim@beta.example"', 'externalId eq "same"'])
      expect((await acme.scim('get', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults).to.equal(0)
    expect(JSON.stringify((await acme.scim('get', '/Users')).body)).to.not.include('victim')
    expect(await stored()).to.deep.equal(before)
  })

  it('gives an organization no user whose address is not its own', async () => {
    const before = await stored()
    const own = (email: string) => [{ value: email, primary: true }]
    for (const body of [
      scimUser('victim@beta.example'),
      scimUser('VICTIM@BETA.example', { emails: undefined }),
      scimUser('eve@acme.example', { emails: own('victim@beta.example') }),
      scimUser('eve@acme.example', { emails: [{ value: 'x@acme.example' }, ...own('victim@beta.example')] }),
      scimUser('victim@beta.example', { emails: own('victim@beta.example,x@acme.example') }),
      scimUser('eve@acme.example', { emails: own('victim@beta.example@acme.example') }),
      scimUser('eve@acme.example', { emails: own('"victim@beta.example"@acme.example') }),
      scimUser('eve@acme.example', { emails: own('eve@sub.acme.example') }),
      scimUser('eve@unverified.example'),
      scimUser('eve'),
    ])
      expectError(await acme.scim('post', '/Users', body), 400)
    expect(await stored()).to.deep.equal(before)
  })

  it('changes neither name, address nor password of a stored user', async () => {
    const before = await stored()
    const created = await acme.scim('post', '/Users', scimUser('mallory@acme.example', { password: 'known-to-eve' }))
    expect(created.body).to.not.have.property('password')
    const path = `/Users/${created.body.id}`
    const mallory = await stage.signIn('mallory@acme.example')
    const own = await mallory.call('user', { email: mallory.email })
    const taken = scimUser('victim@beta.example', { displayName: 'Victim', id: entry, password: 'x' })
    expect((await acme.scim('put', path, taken)).body).to.include({ userName: 'victim@beta.example' })
    const change = { op: 'replace', value: { userName: 'victim2@beta.example', id: entry, userId: victim.id } }
    expect((await acme.scim('patch', path, operations(change))).body.id).to.equal(created.body.id)
    expect(await mallory.call('user', { email: mallory.email })).to.deep.equal(own)
    expect((await acme.scim('patch', path, operations({ op: 'replace', value: { active: false } }))).status).to.equal(
      200,
    )
    expect(await mallory.status(`/o/${acme.id}`)).to.equal(401)
    expect((await acme.scim('delete', path)).status).to.equal(204)
    expect(await stored()).to.deep.equal(before)
  })

  it('admits no user who has only claimed an address of the organization', async () => {
    expect(await acme.owner.call('unverified', { email: 'claimed@acme.example' })).to.include({ ok: true })
    for (const active of [true, false])
      expectError(await acme.scim('post', '/Users', scimUser('claimed@acme.example', { active })), 409)
  })

  it('leaves a user alone who has moved to another address', async () => {
    const { body } = await acme.scim('post', '/Users', scimUser('moving@acme.example'))
    const person = await stage.signIn('moving@acme.example')
    await person.call('move', { id: person.id, email: 'moving@home.example' })
    const set = (active: boolean) =>
      acme.scim('patch', `/Users/${body.id}`, operations({ op: 'replace', path: 'active', value: active }))
    expect((await set(false)).status).to.equal(200)
    const again = await stage.signIn('moving@home.example')
    expect(again.id).to.equal(person.id)
    expectError(await set(true), 409)
    expect((await set(false)).status).to.equal(200)
    expect(await again.status('/auth/session')).to.equal(200)
    expect((await again.agent.get('/auth/session')).body).to.have.nested.property('user.id', person.id)
  })

  it('accepts no other credentials than a key of the directory', async () => {
    const { body } = await acme.scim('post', '/Users', scimUser('member@acme.example'))
    const member = await stage.signIn('member@acme.example')
    const keyOf = async (person: Person, query: Record<string, string>) => String((await person.call('key', query)).key)
    const at = async (token?: string) => stage.scimWith(token)('get', `/Users/${body.id}`)
    const { owner } = acme
    const organization = acme.id
    expectError(await at(), 401)
    expectError(await at('nonsense'), 401)
    expectError(await at(await keyOf(owner, { scope: 'notes', organization })), 403)
    expectError(await at(await keyOf(owner, { scope: 'scim' })), 404)
    expectError(await at(await keyOf(member, { scope: 'scim', organization })), 403)
    expectError(await at(beta.token), 404)
    expectError(await owner.agent.get(`/scim/v2/Users/${body.id}`), 401)
    const both = owner.agent.get(`/scim/v2/Users/${body.id}`).set('Authorization', `Bearer ${acme.token}`)
    expectError(await both, 400)
    const revoked = await keyOf(owner, { scope: 'scim', organization })
    expect((await at(revoked)).status).to.equal(200)
    expect(await owner.call('revoke', { id: revoked.split('_')[1]?.slice(0, 12) ?? '' })).to.deep.equal({ ok: true })
    expectError(await at(revoked), 401)
    expect((await at(acme.token)).status).to.equal(200)
    // Only owners see and make the key of a directory.
    const { csrfToken } = (await member.agent.get('/auth/csrf')).body
    const asked = await member.agent.post(`/o/${organization}/directory`).type('form').send({ csrfToken })
    expect(asked.status).to.equal(403)
  })

  it('creates one user when a directory sends the same one many times at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, () => acme.scim('post', '/Users', scimUser('parallel@acme.example'))),
    )
    const created = all.filter(({ status }) => status === 201)
    expect(created).to.have.length(1)
    for (const each of all) if (each.status !== 201) expectError(each, 409)
    const [id = ''] = created.map(({ body }) => String(body.id))
    const set = (active: boolean) =>
      acme.scim('patch', `/Users/${id}`, operations({ op: 'replace', path: 'active', value: active }))
    for (const { status } of await Promise.all([set(false), set(true), set(false), set(true)]))
      expect([200, 409]).to.include(status)
    const { active } = (await acme.scim('get', `/Users/${id}`)).body
    const person = await stage.signIn('parallel@acme.example')
    expect(await person.status(`/o/${acme.id}`)).to.equal(active ? 200 : 404)
    // Two entries of one stored user would contradict each other.
    expect((await set(false)).status).to.equal(200)
    const twin = scimUser('twin', { emails: [{ value: 'parallel@acme.example' }] })
    expectError(await acme.scim('post', '/Users', twin), 409)
    expect(await (await stage.signIn('parallel@acme.example')).status(`/o/${acme.id}`)).to.equal(404)
  })

  it('leaves no member behind when a user is removed while another request activates the user', async () => {
    const { body } = await acme.scim('post', '/Users', scimUser('overtaken@acme.example', { active: false }))
    await acme.owner.call('overtake', { organization: acme.id, id: body.id })
    const activate = operations({ op: 'replace', path: 'active', value: true })
    expectError(await acme.scim('patch', `/Users/${body.id}`, activate), 404)
    expect(await (await stage.signIn('overtaken@acme.example')).status(`/o/${acme.id}`)).to.equal(404)
  })

  it('lets no deactivated user return by the identity provider', async () => {
    const { owner } = acme
    const made = await owner.call('connect', { organization: acme.id, ...stage.idp.settings() })
    expect(made).to.include({ ok: true })
    const signIn = async () => {
      const agent = request.agent(stage.app.origin)
      const { csrfToken } = (await agent.get('/auth/csrf')).body
      const begun = await agent.post(`/auth/signin/${made.id}`).type('form').send({ csrfToken, callbackUrl: '/' })
      const returned = new URL(await stage.idp.signInAs(begun.headers.location ?? '', employee.login))
      const { headers } = await agent.get(returned.pathname + returned.search)
      return {
        to: String(headers.location),
        status: (await agent.get(`/o/${acme.id}`).set('Accept', 'application/json')).status,
      }
    }
    const { body } = await acme.scim('post', '/Users', scimUser(employee.email))
    expect((await signIn()).status).to.equal(200)
    const set = (active: boolean) =>
      acme.scim('patch', `/Users/${body.id}`, operations({ op: 'replace', path: 'active', value: active }))
    await set(false)
    const rejected = await signIn()
    expect(rejected.to).to.include('AccessDenied')
    expect(rejected.status).to.equal(401)
    await set(true)
    expect((await signIn()).status).to.equal(200)
  })
})
