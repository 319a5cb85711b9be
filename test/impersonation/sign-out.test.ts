/** Sign-outs while stores fail, and with several session cookies, where impersonation is on. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { sessionName } from '../support/session.js'
import { base, everywhere, keptNames, type Over } from './stage.js'

/** A database, and a store of ended sessions, that can be taken away. */
function fragile() {
  const state = { isAway: false }
  const wrap = <T extends object>(real: T): T =>
    new Proxy(real, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (!state.isAway || typeof value !== 'function') return value
        return () => Promise.reject(new Error('the database is away'))
      },
    })
  const { log } = memoryStore()
  const revocation = { store: { log: wrap(log) }, list: false, maxStale: 1 }
  return { state, over: { adapter: wrap(memoryAdapter()), session: { revocation } } as Over }
}

everywhere('a sign-out where impersonation is on', (open, strategy) => {
  for (const everywhere of [false, true]) {
    it(`DOS-12 clears the cookies while the stores are away, and ends the session later${everywhere ? ', everywhere' : ''}`, async () => {
      const { state, over } = fragile()
      const stage = await open(over)
      const person = stage.browser()
      await person.signInAs(stage.ann)
      const copy = person.copy()
      await person.ask(`${base}/csrf`)
      state.isAway = true
      if (everywhere) await person.own('call', { name: 'signOut, everywhere' })
      else await person.ask(`${base}/signout`, { form: { csrfToken: true } })
      expect(person.cookies.has(sessionName)).to.equal(false)
      state.isAway = false
      await pause(700)
      expect(await copy.me()).to.equal(null)
    })
  }

  it('DOS-12 ends the own session of support later, too', async () => {
    const { state, over } = fragile()
    const stage = await open(over)
    const person = stage.browser()
    await person.signInAs(stage.root)
    const copies = [person.copy()]
    await person.own('begin', { user: stage.ann.id, reason: 'ticket 7' })
    copies.push(person.copy())
    state.isAway = true
    await person.ask(`${base}/signout`, { form: { csrfToken: true } })
    expect([person.cookies.has(sessionName), keptNames(person)]).to.deep.equal([false, []])
    state.isAway = false
    await pause(700)
    for (const copy of copies) expect(await copy.me()).to.equal(null)
    expect(stage.events.filter(({ event }) => event === 'impersonationEnded')).to.have.length(1)
    expect(stage.events.filter(({ event }) => event === 'signOut')).to.have.length(2)
  })

  it('AZ-03 ends the own session of support also if the user has ended the other one', async () => {
    const stage = await open()
    const person = stage.browser()
    await person.signInAs(stage.root)
    const copy = person.copy()
    await person.own('begin', { user: stage.ann.id, reason: 'ticket 7' })
    await stage.browser().own('end-all', { user: stage.ann.id })
    expect(await person.me()).to.equal(null)
    expect(await copy.me()).to.have.nested.property('user.id', stage.root.id)
    await person.ask(`${base}/signout`, { form: { csrfToken: true } })
    expect(keptNames(person)).to.deep.equal([])
    expect(await copy.me()).to.equal(null)
  })

  it('AZ-03 everywhere, with the cookies of both sessions, ends no other session of the user', async () => {
    const stage = await open()
    const ann = stage.browser()
    await ann.signInAs(stage.ann)
    const person = stage.browser()
    await person.signInAs(stage.root)
    const own = person.cookies.get(sessionName)
    await person.own('begin', { user: stage.ann.id, reason: 'x' })
    // In this order, and without the proof which one began here, the own session is used.
    const both = `${own}; ${sessionName}=${person.cookies.get(sessionName)}`
    person.cookies.clear()
    person.cookies.set(sessionName, both)
    expect(await person.me()).to.have.nested.property('user.id', stage.root.id)
    expect((await person.own('call', { name: 'signOut, everywhere' })).thrown).to.equal(undefined)
    expect(await person.me()).to.equal(null)
    expect(await ann.me(), strategy).to.have.nested.property('user.id', stage.ann.id)
  })
})
