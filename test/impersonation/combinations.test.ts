/** Impersonation with other features, with failures, and between the steps of others. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { defineAuth } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { rejectionOf } from '../support/rejection.js'
import { sessionName } from '../support/session.js'
import { allow, everywhere, keptNames, type Over } from './stage.js'

const json = { headers: { accept: 'application/json' } }

everywhere('impersonation beside other features', (open, strategy) => {
  it('AZ-03 is no session where the option is off', async () => {
    const shared = { adapter: memoryAdapter(), secret: 'a-secret-that-two-configurations-share' }
    const on = await open(shared)
    const person = await on.impersonating()
    const adapter = { ...shared.adapter, createUser: async () => on.ann } as Adapter
    const off = await open({ ...shared, adapter, impersonation: undefined } as Over)
    const elsewhere = off.browser()
    for (const [name, value] of person.cookies) elsewhere.cookies.set(name, value)
    expect(await elsewhere.me()).to.equal(null)
    expect((await elsewhere.own('account')).returned).to.equal(null)
    expect((await elsewhere.own('end')).thrown).to.equal('InvalidConfiguration')
    // The other process may still use it.
    expect(await person.me()).to.have.property('act')
  })

  it('AZ-03 is refused as a bearer token, too', async () => {
    const stage = await open({ session: { bearer: true } })
    const person = await stage.impersonating()
    const client = stage.browser()
    const authorization = `Bearer ${person.cookies.get(sessionName)}`
    expect((await client.ask('/guarded', { headers: { ...json.headers, authorization } })).status).to.equal(200)
    for (const name of ['tokens.get', 'users.list', 'sessions.endAll', 'users.disable', 'passwords.has']) {
      expect((await client.own('call', { name }, { authorization })).thrown, name).to.equal('ImpersonatedSession')
    }
    expect((await client.ask('/guarded-own', { headers: { ...json.headers, authorization } })).status).to.equal(403)
    expect((await client.own('begin', { user: stage.ann.id, reason: 'x' }, { authorization })).returned).to.deep.equal({
      ok: false,
      reason: 'refused',
    })
  })

  it('AZ-03 is the session that began in the browser, beside a planted one', async () => {
    const stage = await open()
    const eve = stage.browser()
    await eve.signInAs(stage.ann)
    const person = await stage.impersonating()
    const own = person.cookies.get(sessionName) ?? ''
    person.cookies.set(sessionName, `${eve.cookies.get(sessionName)}; ${sessionName}=${own}`)
    expect(await person.me()).to.have.property('act')
    expect((await person.own('call', { name: 'sessions.endOthers' })).thrown).to.equal('ImpersonatedSession')
    expect((await person.own('end')).returned).to.deep.equal({ ok: true, resumed: true })
    expect(await person.me()).to.have.nested.property('user.id', stage.root.id)
  })

  it('AZ-03 ends without the own session if its cookie is garbage, or of another secret', async () => {
    const stage = await open()
    const other = await open()
    const foreign = (await other.impersonating()).cookies.get('auth.impersonator') ?? ''
    for (const value of ['', 'x', foreign, 'eyJhbGciOiJkaXIifQ....', `${'a'.repeat(4000)}`, '%00', 'null']) {
      const person = await stage.impersonating()
      const kept = person.cookies.get('auth.impersonator') ?? ''
      person.cookies.set('auth.impersonator', value)
      const { returned, answer } = await person.copy().own('end')
      expect([answer.status, returned], value.slice(0, 30)).to.deep.equal([200, { ok: true, resumed: false }])
      // A planted value beside the own one hides nothing.
      const second = await stage.impersonating()
      const own = second.cookies.get('auth.impersonator') ?? ''
      second.cookies.set('auth.impersonator', `${value || 'x'}; auth.impersonator=${kept}; auth.impersonator=${own}`)
      expect((await second.own('end')).returned).to.deep.equal({ ok: true, resumed: true })
      expect(await second.me()).to.have.nested.property('user.id', stage.root.id)
    }
  })

  it('AZ-03 ends with a disabled actor whose sessions cannot be listed, at a guard that queries the store', async () => {
    const { listSessionsByUserId: _list, ...adapter } = memoryAdapter()
    const stage = await open({ adapter })
    const person = await stage.impersonating()
    await stage.browser().own('disable', { user: stage.root.id })
    expect((await person.ask('/guarded-live', json)).status).to.equal(401)
    expect(await person.me()).to.equal(null)
  })

  it('keeps a long session of the actor, or changes nothing if it does not fit', async () => {
    const padding = (length: number): Over => ({
      session: { data: true },
      callbacks:
        strategy === 'jwt'
          ? { jwt: ({ token }) => ({ ...token, pad: 'x'.repeat(token.sub === 'none' ? 0 : length) }) }
          : {},
    })
    const stage = await open(padding(2500))
    const person = await stage.impersonating()
    expect(keptNames(person)).to.have.length(strategy === 'jwt' ? 2 : 1)
    expect(await person.me()).to.have.property('act')
    expect((await person.own('end')).returned).to.deep.equal({ ok: true, resumed: true })
    expect(await person.me()).to.have.nested.property('user.id', stage.root.id)
    expect(keptNames(person)).to.deep.equal([])
    if (strategy === 'database') return
    const large = await open(padding(6000))
    const other = large.browser()
    await other.signInAs(large.root)
    expect((await other.own('begin', { user: large.ann.id, reason: 'x' })).thrown).to.equal('TooManyCookies')
    expect(await other.me()).to.have.nested.property('user.id', large.root.id)
    expect(keptNames(other)).to.deep.equal([])
  })

  it('ends with the browser where users choose how long they stay', async () => {
    const stage = await open({ session: { rememberMaxAge: 5_000_000 } })
    const person = stage.browser()
    await person.signInAs(stage.root)
    const { answer } = await person.own('begin', { user: stage.ann.id, reason: 'x' })
    const line = answer.cookies.find((each) => each.startsWith(sessionName))
    expect(line)
      .to.be.a('string')
      .and.not.match(/expires|max-age/i)
    const ended = await person.own('end')
    expect(ended.answer.cookies.find((each) => each.startsWith(sessionName))).not.to.match(/expires|max-age/i)
    expect(await person.me()).to.have.nested.property('user.id', stage.root.id)
  })

  it('RC-11 does not begin if all sessions of the user end meanwhile', async () => {
    const meanwhile: { work?: () => Promise<unknown> } = {}
    const stage = await open({
      impersonation: {
        async allow(...given) {
          await meanwhile.work?.()
          return allow(...given)
        },
      },
    })
    const [person, desk] = [stage.browser(), stage.browser()]
    await person.signInAs(stage.root)
    meanwhile.work = () => desk.own('end-all', { user: stage.ann.id })
    expect((await person.own('begin', { user: stage.ann.id, reason: 'x' })).thrown).to.equal('ReauthenticationRequired')
    expect(await person.me()).to.have.nested.property('user.id', stage.root.id)
    meanwhile.work = () => desk.own('disable', { user: stage.root.id })
    await person.own('begin', { user: stage.ann.id, reason: 'x' })
    expect(await person.me()).to.equal(null)
  })

  it('loses nothing if the database fails', async () => {
    const real = memoryAdapter()
    let broken: string | undefined
    const adapter = new Proxy(real, {
      get(target, name, receiver) {
        if (name === broken) return () => Promise.reject(new Error('the database is away'))
        return Reflect.get(target, name, receiver)
      },
    })
    const stage = await open({ adapter })
    const person = stage.browser()
    await person.signInAs(stage.root)
    broken = 'getUser'
    expect((await person.own('begin', { user: stage.ann.id, reason: 'x' })).thrown).to.equal('AdapterError')
    broken = undefined
    expect(await person.me()).to.have.nested.property('user.id', stage.root.id)
    await person.own('begin', { user: stage.ann.id, reason: 'x' })
    broken = 'getUser'
    expect((await person.own('end')).thrown).to.equal('AdapterError')
    broken = undefined
    expect(await person.me()).to.have.property('act')
    expect((await person.own('end')).returned).to.deep.equal({ ok: true, resumed: true })
  })

  it('AZ-03 is not asked by the functions of a job, and by no function that names the user in its request', async () => {
    const stage = await open()
    const person = await stage.impersonating()
    const { thrown } = await person.own('tokens-of', { user: stage.ann.id })
    // On Express, such a call has no request.
    expect(thrown).to.equal(stage.isFetch ? 'ImpersonatedSession' : 'NotConnected')
  })

  it('uses no cookie, no query and no file while it is off', async () => {
    const stage = await open({ impersonation: undefined } as Over)
    const person = stage.browser()
    await person.signInAs(stage.root)
    expect(keptNames(person)).to.deep.equal([])
    expect(await person.me()).not.to.have.property('act')
    expect((await person.own('begin', { user: stage.ann.id, reason: 'x' })).thrown).to.equal('InvalidConfiguration')
    expect((await person.own('end')).thrown).to.equal('InvalidConfiguration')
  })
})

describe('the option `impersonation`', () => {
  const base = { secret: 'a-secret-of-more-than-32-characters-here', providers: [], adapter: memoryAdapter() }
  const errorOf = (over: object) =>
    rejectionOf(
      (async () =>
        defineAuth({ ...base, ...over } as Over & typeof base).impersonation.end({} as never, {} as never))(),
    )

  it('is rejected at construction if it cannot work, with what to change', async () => {
    const session = { revocation: true }
    const unstored = { adapter: undefined, session: { strategy: 'jwt', revocation: memoryStore() } }
    for (const [over, message] of [
      [{ impersonation: true }, /`impersonation` must be \{ allow, maxAge \}/],
      [{ impersonation: {} }, /`impersonation.allow` is missing\. Set a function/],
      [{ impersonation: { allow: 'admins' } }, /impersonation\.allow` must be a function/],
      [{ impersonation: { allow, maxAge: 901 } }, /impersonation\.maxAge/],
      [{ impersonation: { allow, maxAge: 59 } }, /impersonation\.maxAge/],
      [{ impersonation: { allow, until: 1 } }, /impersonation\.until/],
      [
        { impersonation: { allow }, session: { strategy: 'jwt' } },
        /needs sessions that can be ended.*`session\.revocation`/,
      ],
      [{ impersonation: { allow }, ...unstored }, /needs stored users\. Set an `adapter`/],
    ] as const) {
      expect((await errorOf({ session, ...over })).message, JSON.stringify(over)).to.match(message)
    }
  })

  it('FO-01 the requirement of a guard is `false` or absent', () => {
    const auth = defineAuth({ ...base, session: { revocation: true }, impersonation: { allow } })
    for (const impersonated of [true, 'no', 0]) {
      expect(() => auth.requireSession({ impersonated } as never)).to.throw(
        /`requireSession.impersonated` must be false/,
      )
    }
    expect(() => auth.requireSession({ impersonated: false })).not.to.throw()
  })
})
