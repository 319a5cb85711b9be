/** The beginning and the end of an impersonated session, at both doors, with both strategies. */
import { expect } from 'chai'
import { defineAuth } from '../../lib/index.js'
import type { JWT } from '../../lib/types/jwt.js'
import { advanceClock, freezeClock, seconds } from '../support/clock.js'
import { sessionName } from '../support/session.js'
import { allow, everywhere, keptNames, type Over, type Person } from './stage.js'

everywhere('impersonation', (open, strategy) => {
  it('AZ-03 begins a session of the user with the actor, and ends with the own session', async () => {
    const { root, ann, browser } = await open()
    const person = browser()
    await person.signInAs(root)
    const before = await person.me()
    expect((await person.own('begin', { user: ann.id, reason: ' ticket 7 ' })).returned).to.deep.equal({ ok: true })
    const session = await person.me()
    expect(session.user).to.include({ id: ann.id, email: ann.email })
    expect(session.act).to.deep.equal({ userId: root.id, reason: 'ticket 7', since: session.act.since })
    expect(session.act.since).to.be.within(seconds() - 10, seconds())
    expect(session.assurance).to.deep.equal({ aal: 1, amr: [] })
    expect((await person.session()).act).to.deep.equal(session.act)
    const { returned, answer } = await person.own('end')
    expect(returned).to.deep.equal({ ok: true, resumed: true })
    expect(answer.headers).to.include({ 'clear-site-data': '"cache"' })
    const after = await person.me()
    expect(after.user).to.deep.equal(before.user)
    expect(after).not.to.have.property('act')
    expect(keptNames(person)).to.deep.equal([])
    // The own session is the browser's again.
    expect((await person.own('begin', { user: ann.id, reason: 'again' })).returned).to.deep.equal({ ok: true })
  })

  it('AZ-03 emits who began and ended it, and no sign-in of the user', async () => {
    const stage = await open()
    const { root, ann, events } = stage
    const person = await stage.impersonating()
    const signIns = events.filter(({ event }) => event === 'signIn')
    expect(signIns.map(({ user }) => (user as { id: string }).id)).to.deep.equal([root.id])
    await person.own('end')
    const facts = { userId: ann.id, by: root.id, reason: 'ticket 7' }
    const told = events.filter(({ event }) => event.startsWith('impersonation'))
    expect(told).to.have.length(2)
    for (const [at, event] of ['impersonationBegan', 'impersonationEnded'].entries()) {
      expect(told[at])
        .to.include({ event, ...facts, sid: told[0]?.sid })
        .and.to.have.nested.property('request.ip')
    }
    expect(events.filter(({ event }) => event === 'signOut')).to.have.length(1)
    expect(events.find(({ event }) => event === 'signOut')).to.include({ by: root.id, sid: told[0]?.sid })
  })

  it('AZ-03 is refused without the right, for oneself, for an unknown and for a disabled user', async () => {
    const { root, ann, config, browser } = await open()
    const create = (email: string) => config.adapter?.createUser?.({ id: '', email, emailVerified: null })
    const admin = await create('admin@example.com')
    const person = browser()
    const begin = async (user: string) => (await person.own('begin', { user, reason: 'ticket 7' })).returned
    expect(await begin(ann.id), 'a visitor').to.deep.equal({ ok: false, reason: 'refused' })
    await person.signInAs(root)
    const cookies = new Map(person.cookies)
    expect(await begin('nobody')).to.deep.equal({ ok: false, reason: 'unknown' })
    expect(await begin(root.id)).to.deep.equal({ ok: false, reason: 'refused' })
    expect(await begin(admin?.id ?? '')).to.deep.equal({ ok: false, reason: 'refused' })
    await person.own('disable', { user: ann.id })
    expect(await begin(ann.id)).to.deep.equal({ ok: false, reason: 'refused' })
    expect(new Map(person.cookies)).to.deep.equal(cookies)
    const other = browser()
    await other.signInAs(ann)
    expect((await other.own('begin', { user: root.id, reason: 'x' })).returned?.ok).to.not.equal(true)
  })

  it('AZ-03 needs two factors within ten minutes, in the browser of the sign-in', async () => {
    freezeClock()
    const { root, ann, browser, config } = await open()
    const person = browser()
    const begin = async (at: Person = person) => (await at.own('begin', { user: ann.id, reason: 'ticket 7' })).thrown
    await person.signInAs(root, { aal: '1' })
    expect(await begin(), 'one factor').to.equal('ReauthenticationRequired')
    await person.signInAs(root, { at: seconds() - 601 })
    expect(await begin(), 'old').to.equal('ReauthenticationRequired')
    await person.signInAs(root, { at: seconds() - 599 })
    const copied = person.copy()
    for (const name of copied.cookies.keys()) if (name.includes('browser')) copied.cookies.delete(name)
    expect(await begin(copied), 'another browser').to.equal('ReauthenticationRequired')
    expect(await begin(), 'in time').to.equal(undefined)
    expect(config.factors).to.not.equal(undefined)
  })

  it('AZ-03 needs a recent sign-in without factors, too', async () => {
    freezeClock()
    const { root, ann, browser } = await open({ factors: undefined } as Over)
    const person = browser()
    await person.signInAs(root, { aal: '1', at: seconds() - 601 })
    expect((await person.own('begin', { user: ann.id, reason: 'x' })).thrown).to.equal('ReauthenticationRequired')
    await person.signInAs(root, { aal: '1', at: seconds() - 599 })
    expect((await person.own('begin', { user: ann.id, reason: 'x' })).returned).to.deep.equal({ ok: true })
  })

  it('rejects an id or a reason that is none, with 400', async () => {
    const { root, ann, browser } = await open()
    const person = browser()
    await person.signInAs(root)
    const wrong = [
      { user: '', reason: 'x' },
      ...['', '  ', 'x'.repeat(101), 'two\nlines', 'a\ttab', 'nul\0', 'sep\u2028b'].map((reason) => ({
        user: ann.id,
        reason,
      })),
    ]
    for (const query of wrong) {
      const { thrown, status } = await person.own('begin', query)
      expect({ thrown, status }, JSON.stringify(query)).to.deep.equal({ thrown: 'InvalidRequest', status: 400 })
    }
    expect(await person.me()).not.to.have.property('act')
    expect((await person.own('begin', { user: ann.id, reason: '字'.repeat(100) })).returned).to.deep.equal({ ok: true })
    expect((await person.me()).act.reason).to.equal('字'.repeat(100))
  })

  it('AZ-03 FO-02 does not begin if `allow` throws, or returns another value than true', async () => {
    const results: unknown[] = [1, 'yes', {}, null, undefined]
    let result: unknown
    const { root, ann, browser } = await open({
      impersonation: {
        allow: () => {
          if (result instanceof Error) throw result
          return result as boolean
        },
      },
    })
    const person = browser()
    await person.signInAs(root)
    for (result of results) {
      const { returned } = await person.own('begin', { user: ann.id, reason: 'x' })
      expect(returned, String(result)).to.deep.equal({ ok: false, reason: 'refused' })
    }
    result = new Error('the database of roles is away')
    expect((await person.own('begin', { user: ann.id, reason: 'x' })).thrown).to.equal('CallbackRouteError')
    expect(await person.me()).to.have.nested.property('user.id', root.id)
    result = true
    await person.own('begin', { user: ann.id, reason: 'x' })
    result = new Error('the database of roles is away')
    expect((await person.own('end')).returned).to.deep.equal({ ok: true, resumed: false })
    expect(await person.me()).to.equal(null)
  })

  it('AZ-03 ends after `maxAge`, whatever it is used for', async () => {
    freezeClock()
    for (const [over, lifetime] of [
      [{}, 900],
      [{ impersonation: { allow, maxAge: 60 } }, 60],
      [{ session: { updateAge: 0 } }, 900],
      [{ session: { maxAge: 120, updateAge: 0 } }, 120],
      [{ session: { absoluteMaxAge: 90 } }, 90],
    ] as ReadonlyArray<[Over, number]>) {
      const stage = await open(over)
      const person = await stage.impersonating()
      const { expires } = await person.me()
      expect(Math.round((Date.parse(expires) - Date.now()) / 1000), JSON.stringify(over)).to.equal(lifetime)
      for (let left = lifetime; left > 20; left -= 20) {
        advanceClock(20)
        expect(await person.session(), `${left} left`).to.deep.include({ expires })
        expect(await person.me()).to.deep.include({ expires })
      }
      advanceClock(20)
      expect(await person.me(), JSON.stringify(over)).to.equal(null)
      expect((await person.own('end')).returned).to.deep.equal({ ok: false, reason: 'none' })
    }
  })

  it('AZ-03 ends with all sessions of the user, with those of the actor, and if one of them is disabled', async () => {
    const stage = await open()
    const { root, ann, browser } = stage
    const desk = browser()
    for (const [path, { id }] of [
      ['end-all', ann],
      ['end-all', root],
      ['disable', root],
    ] as const) {
      const person = await stage.impersonating()
      await desk.own(path, { user: id })
      expect((await person.ask('/guarded-live', { headers: { accept: 'application/json' } })).status, path).to.equal(
        401,
      )
      expect(await person.me(), `${path} ${id}`).to.equal(null)
      expect((await person.own('end')).returned).to.deep.equal({ ok: false, reason: 'none' })
    }
    expect((await desk.own('begin', { user: ann.id, reason: 'x' })).returned).to.deep.equal({
      ok: false,
      reason: 'refused',
    })
  })

  it('AZ-03 ends with the own session alone', async () => {
    for (const over of strategy === 'database' ? [{}, { session: { cacheFor: 60 } }] : [{}]) {
      const { root, ann, browser } = await open(over)
      const person = browser()
      await person.signInAs(root)
      const own = person.copy()
      await person.own('begin', { user: ann.id, reason: 'x' })
      for (let reads = 0; reads < 3; reads += 1) expect(await person.me()).to.have.property('act')
      await own.submit('/api/auth/signout')
      expect(await person.me()).to.equal(null)
    }
  })

  it('AZ-03 copies of the cookies are worth nothing after the end', async () => {
    const stage = await open()
    const { ann, browser } = stage
    const person = await stage.impersonating()
    const copy = person.copy()
    await person.own('end')
    expect(await copy.me()).to.equal(null)
    expect((await copy.own('end')).returned).to.deep.equal({ ok: false, reason: 'none' })
    // The sealed session with another impersonated session, and with a session of the user.
    const kept = keptNames(copy).map((name): [string, string] => [name, copy.cookies.get(name) ?? ''])
    expect(kept).to.have.length(1)
    const next = await stage.impersonating()
    for (const [name, value] of kept) next.cookies.set(name, value)
    expect((await next.own('end')).returned).to.deep.equal({ ok: true, resumed: false })
    expect(await next.me()).to.equal(null)
    const victim = browser()
    await victim.signInAs(ann)
    for (const [name, value] of kept) victim.cookies.set(name, value)
    expect((await victim.own('end')).returned).to.deep.equal({ ok: false, reason: 'none' })
    expect(await victim.me()).to.have.nested.property('user.id', ann.id)
    // As a session it is nothing.
    const thief = browser()
    for (const [, value] of kept) thief.cookies.set(sessionName, value)
    expect(await thief.me()).to.equal(null)
  })

  it('AZ-03 signs out instead of resuming where the right is gone', async () => {
    let may = true
    const stage = await open({ impersonation: { allow: (...given) => may && allow(...given) } })
    const person = await stage.impersonating()
    may = false
    expect((await person.own('end')).returned).to.deep.equal({ ok: true, resumed: false })
    expect(await person.me()).to.equal(null)
    expect(
      [...person.cookies.keys()].filter((name) => name.includes('session') || name.includes('impersonator')),
    ).to.deep.equal([])
  })

  it('signs both users out of the browser by a sign-out', async () => {
    const stage = await open()
    const person = stage.browser()
    await person.signInAs(stage.root)
    const own = person.copy()
    await person.own('begin', { user: stage.ann.id, reason: 'ticket 7' })
    const copy = person.copy()
    await person.submit('/api/auth/signout')
    for (const each of [person, own, copy]) expect(await each.me()).to.equal(null)
    expect(keptNames(person)).to.deep.equal([])
    const names = stage.events.map(({ event }) => event).filter((name) => /signOut|Ended/.test(name))
    expect(names).to.have.members(['signOut', 'impersonationEnded', 'signOut'])
  })

  it('is in the list of the user, who may end it', async () => {
    const stage = await open()
    const { ann, browser } = stage
    const victim = browser()
    await victim.signInAs(ann)
    const [before] = (await victim.own('account')).returned.sessions
    const person = browser()
    await person.signInAs(stage.root)
    const reason = 'ticket 4711, the invoice of October that is in the list twice (ß字)'
    advanceClock(5)
    await person.own('begin', { user: ann.id, reason })
    const { sessions } = (await victim.own('account')).returned
    const details = await defineAuth(stage.config).users.get(ann.id)
    expect(details?.lastSignIn?.toISOString()).to.equal(before.beganAt)
    expect(sessions).to.have.length(2)
    const [own, support] = sessions
    expect(own).to.deep.equal(before)
    expect(support.support.label).to.equal('Support')
    expect(reason.startsWith(support.support.reason.replace('…', '')), support.support.reason).to.equal(true)
    expect(support.support.reason.length).to.be.above(50)
    expect(support).not.to.have.any.keys('device', 'network', 'provider')
    expect((await victim.own('end-session', { id: support.id })).returned).to.deep.equal({ ok: true })
    expect(await person.me()).to.equal(null)
    expect((await person.own('end')).returned).to.deep.equal({ ok: false, reason: 'none' })
    expect(await victim.me()).to.have.nested.property('user.id', ann.id)
  })

  it('AZ-03 cannot be written or removed by callbacks', async () => {
    const seen: unknown[] = []
    const changeToken = ({ token }: { token: JWT }) => {
      const { auth_act: _act, ...rest } = token
      return mode === 'forge' ? { ...token, auth_act: 'eve\teve\ts\t1\t1\tb' } : rest
    }
    const shared = {
      user: { id: 'shared' },
      expires: '2999-01-01T00:00:00.000Z',
      act: { userId: 'eve', reason: '', since: 1 },
    }
    let mode: 'forge' | 'remove' | 'shared' = 'forge'
    const stage = await open({
      callbacks: {
        ...(strategy === 'jwt' && { jwt: changeToken }),
        session: ({ session }) => {
          seen.push(session.act)
          if (mode === 'shared') return shared
          if (mode === 'forge') return { ...session, act: { userId: 'eve', reason: 'none', since: 1 } }
          const { act: _act, ...rest } = session
          return rest
        },
      },
    } as Over)
    const { root, ann, browser } = stage
    const plain = browser()
    await plain.signInAs(ann)
    for (mode of ['forge', 'remove', 'shared'] as const) {
      expect(await plain.me(), mode).not.to.have.property('act')
      expect((await plain.own('end')).returned).to.deep.equal({ ok: false, reason: 'none' })
    }
    mode = 'remove'
    const person = browser()
    await person.signInAs(root)
    const { returned } = await person.own('begin', { user: ann.id, reason: 'ticket 7' })
    expect(returned).to.deep.equal({ ok: true })
    for (mode of ['forge', 'remove', 'shared'] as const) {
      expect((await person.me()).act, mode).to.include({ userId: root.id, reason: 'ticket 7' })
      expect(seen.at(-1)).to.include({ userId: root.id })
      expect((await person.own('call', { name: 'sessions.endOthers' })).thrown).to.equal('ImpersonatedSession')
    }
    expect(shared.act.userId).to.equal('eve')
  })

  it('AZ-03 is stopped by guards that ask for the user, or for proofs', async () => {
    const stage = await open()
    const person = await stage.impersonating()
    const ask = async (path: string) => {
      const { status, body } = await person.ask(path, { headers: { accept: 'application/json' } })
      return [status, body.error]
    }
    expect(await ask('/guarded')).to.deep.equal([200, undefined])
    expect(await ask('/guarded-live')).to.deep.equal([200, undefined])
    expect(await ask('/guarded-own')).to.deep.equal([403, 'ImpersonatedSession'])
    expect(await ask('/guarded-fresh')).to.deep.equal([401, 'insufficient_user_authentication'])
    expect(await ask('/guarded-twice')).to.deep.equal([401, 'insufficient_user_authentication'])
    expect(await ask('/guarded-tokens')).to.deep.equal([403, 'ImpersonatedSession'])
    await person.own('end')
    expect(await ask('/guarded-own')).to.deep.equal([200, undefined])
    expect(await ask('/guarded-twice')).to.deep.equal([200, undefined])
  })

  it('needs a request of the own site', async () => {
    const stage = await open()
    const person = await stage.impersonating()
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    expect((await person.own('end', {}, foreign)).thrown).to.equal('MissingCSRF')
    expect(await person.me()).to.have.property('act')
    const root = stage.browser()
    await root.signInAs(stage.root)
    expect((await root.own('begin', { user: stage.ann.id, reason: 'x' }, foreign)).thrown).to.equal('MissingCSRF')
  })
})
