/** Guards for members of an organization: who is allowed, and what others learn. */
import { expect } from 'chai'
import fc from 'fast-check'
import { advanceClock, restoreClock } from '../support/clock.js'
import type { Answer } from '../support/http-browser.js'
import { atEach, guards, roles } from './stage.js'

/** Parts of the texts that clients send in a query: they change it, or name nothing. */
const parts = [
  ...['a', 'Z', '0', '-', '_', '.', '~', '%', '%00', '%0d%0a', '%20', '%c3%bc', '%ff', '%e2%80%ae'],
  ...['[', ']', '&org=', "'", '"', '<', '/', '\\'],
]
const texts = fc
  .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 12, size: 'max' })
  .map((all) => all.join(''))

/** Returns the answer without the nonce of the page, which is new in each response. */
function withoutNonce({ text, headers }: Pick<Answer, 'text' | 'headers'>): Pick<Answer, 'text' | 'headers'> {
  const policy = headers['content-security-policy']
  const policies = policy === undefined ? [] : [['content-security-policy', policy.replace(/nonce-[\w-]+/g, '')]]
  return { text: text.replace(/nonce="[^"]*"/g, ''), headers: { ...headers, ...Object.fromEntries(policies) } }
}

const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }

atEach('a guard for members', (open) => {
  afterEach(restoreClock)

  it('allows members, with the id and the role of the request', async () => {
    const { tables, signIn } = await open()
    const { browser, userId } = await signIn()
    tables.set(userId, 'acme', 'owner')
    tables.set(userId, 'other', 'member')
    for (const name of ['any', 'owner', 'staff', 'write', 'live']) {
      const { status, body } = await browser.get(`/org/acme/${name}`)
      expect({ status, body }, name).to.deep.equal({ status: 200, body: { id: 'acme', role: 'owner' } })
    }
    expect((await browser.get('/org/other/any')).body).to.deep.equal({ id: 'other', role: 'member' })
  })

  it('rejects members without the role or the permission with 403, by the table of roles', async () => {
    const { tables, signIn } = await open()
    const { browser, userId } = await signIn()
    for (const [role, permissions] of Object.entries(roles)) {
      tables.set(userId, 'acme', role)
      for (const [name, { role: needed, permission }] of Object.entries(guards)) {
        const isRole = needed === undefined || [needed].flat().includes(role)
        const isPermitted = permission === undefined || permissions.some((each) => each === permission)
        const { status } = await browser.get(`/org/acme/${name}`)
        expect(status, `${role} ${name}`).to.equal(isRole && isPermitted ? 200 : 403)
      }
    }
  })

  it('asks visitors to sign in, before it calls anything', async () => {
    const stage = await open()
    const visitor = stage.browser()
    expect((await visitor.get('/org/acme/any')).status).to.equal(401)
    expect((await visitor.get('/org/acme/any', page)).status).to.equal(302)
    expect((await visitor.get('/active/any')).status).to.equal(401)
    expect(stage.tables.asked).to.deep.equal([])
  })

  it('OG-03 gives one answer for an organization of others, an unknown one, and an id that cannot be one', async () => {
    const { tables, signIn } = await open()
    const { browser } = await signIn()
    tables.set('somebody', 'acme', 'owner')
    for (const headers of [{}, page]) {
      const answers: Array<Pick<Answer, 'status' | 'text' | 'headers'>> = []
      for (const id of ['acme', 'unknown', 'a%20b', 'x'.repeat(101)]) {
        const { status, text, headers: sent } = await browser.get(`/org/${id}/owner`, headers)
        const { date: _date, ...rest } = sent
        answers.push({ status, ...withoutNonce({ text, headers: rest }) })
      }
      for (const answer of answers) expect(answer).to.deep.equal(answers[0])
      expect(answers[0]?.status).to.equal(404)
      expect(answers[0]?.headers['cache-control']).to.include('no-store')
    }
  })

  it('OG-03 answers a form with the same page for an organization of others and an unknown one', async () => {
    const { tables, signIn } = await open()
    const { browser } = await signIn()
    tables.set('somebody', 'acme', 'owner')
    const [known, unknown] = [
      await browser.post('/org/acme/any', {}, page),
      await browser.post('/org/no/any', {}, page),
    ]
    expect([known.status, unknown.status]).to.deep.equal([404, 404])
    expect(known.text).to.include('There is no such page')
    expect(withoutNonce(known).text).to.equal(withoutNonce(unknown).text)
  })

  it('OG-04 never calls `membership` with something that is no id', async () => {
    const { tables, signIn } = await open()
    const { browser } = await signIn()
    const hostile = [
      '?org=a&org=b',
      '?org[id]=a',
      '?org[]=a',
      '',
      '?org=',
      '?org=%00',
      '?org=a%0Ab',
      '?org=%E2%80%8B',
      '?org=%20',
    ]
    for (const query of hostile) {
      const { status, body } = await browser.get(`/query${query}`)
      expect({ status, error: body.error }, query).to.deep.equal({ status: 404, error: 'NotFound' })
    }
    expect(tables.asked).to.deep.equal([])
  })

  it('OG-04 answers 300 random texts of clients with 404, and `membership` gets only what can be an id', async function () {
    this.timeout(20_000)
    const { tables, signIn } = await open()
    const { browser, userId } = await signIn()
    for (const text of fc.sample(texts, { seed: 33, numRuns: 300 })) {
      const { status } = await browser.ask(`/query?org=${text}`)
      expect(status, text).to.be.oneOf([400, 404])
    }
    for (const call of tables.asked) expect(call).to.match(new RegExp(`^${userId} [^\\s\\p{C}]{1,100}$`, 'u'))
  })

  it('OG-04 OG-07 treats names of the prototype as any other id and role', async () => {
    const { tables, signIn, log } = await open()
    const { browser, userId } = await signIn()
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect((await browser.get(`/org/${name}/any`)).status, name).to.equal(404)
      tables.set(userId, 'acme', name)
      expect((await browser.get('/org/acme/any')).status, name).to.equal(403)
    }
    expect(log.warnings.filter(({ code }) => code === 'organization-role')).to.have.lengthOf(1)
  })

  it('OG-07 rejects a role that the configuration does not have, and warns once', async () => {
    const { tables, signIn, log } = await open()
    const { browser, userId } = await signIn()
    tables.set(userId, 'acme', 'retired')
    expect((await browser.get('/org/acme/any')).status).to.equal(403)
    expect((await browser.get('/org/acme/staff')).status).to.equal(403)
    const warned = log.warnings.filter(({ code }) => code === 'organization-role')
    expect(warned).to.have.lengthOf(1)
    expect(String(warned[0]?.details)).to.include('"retired"')
  })

  it('OG-05 rejects all users when `membership` throws or returns something else', async () => {
    const { tables, signIn, log } = await open()
    const { browser } = await signIn()
    const fail = () => {
      throw new Error('the database is down')
    }
    const answers = [
      fail,
      () => Promise.reject(new Error('down')),
      () => undefined,
      () => true,
      () => 'owner',
      () => ({}),
    ]
    for (const answer of [...answers, () => ({ role: ['owner'] }), () => [], () => ({ role: null })]) {
      tables.answer = answer
      const { status, body } = await browser.get('/org/acme/any')
      expect({ status, type: body.type }, String(answer)).to.deep.equal({ status: 500, type: 'AdapterError' })
    }
    tables.answer = () => ({ role: 'owner' })
    expect((await browser.get('/org/acme/any')).status).to.equal(200)
    expect(log.errors.map(({ message }) => message).join()).to.not.include('ann')
  })

  it('OG-05 rejects all users when `membership` hangs', async () => {
    const { tables, signIn } = await open({ timeout: 0.05 })
    const { browser } = await signIn()
    tables.answer = () => new Promise(() => {})
    expect((await browser.get('/org/acme/any')).body.type).to.equal('AdapterError')
  })

  it('OG-03 treats an id that PostgreSQL rejects for its column as an unknown one', async () => {
    const { tables, signIn } = await open()
    const { browser } = await signIn()
    tables.answer = () => {
      throw Object.assign(new Error('invalid input syntax for type uuid'), { code: '22P02' })
    }
    expect((await browser.get('/org/acme/any')).status).to.equal(404)
  })

  it('calls `membership` once for a request and organization, however many guards it has', async () => {
    const { tables, signIn } = await open()
    const { browser, userId } = await signIn()
    tables.set(userId, 'acme', 'owner')
    for (const name of ['any', 'owner', 'write', 'live']) {
      tables.asked.length = 0
      expect((await browser.get(`/twice/acme/${name}`)).status).to.equal(200)
      expect(tables.asked, name).to.deep.equal([`${userId} acme`])
    }
  })

  it('OG-02 rejects a removed member at the next request, and uses the new role of others', async () => {
    const { tables, signIn } = await open()
    const { browser, userId } = await signIn()
    tables.set(userId, 'acme', 'owner')
    expect((await browser.get('/org/acme/owner')).status).to.equal(200)
    tables.set(userId, 'acme', 'member')
    expect((await browser.get('/org/acme/owner')).status).to.equal(403)
    tables.set(userId, 'acme', undefined)
    for (const name of ['owner', 'any', 'live']) expect((await browser.get(`/org/acme/${name}`)).status).to.equal(404)
  })

  it('OG-12 asks for the right before a new proof', async () => {
    const { tables, signIn } = await open()
    const { browser, userId } = await signIn()
    advanceClock(400)
    expect((await browser.get('/org/acme/write-fresh', page)).status).to.equal(404)
    tables.set(userId, 'acme', 'member')
    expect((await browser.get('/org/acme/write-fresh', page)).status).to.equal(403)
    tables.set(userId, 'acme', 'owner')
    const { status, headers } = await browser.get('/org/acme/write-fresh', page)
    expect(status).to.equal(302)
    expect(headers.location).to.include('/api/auth/signin?reauth=300')
  })
})
