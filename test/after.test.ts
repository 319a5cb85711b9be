/**
 * Tests of waiting for a value that may be a promise: one of this runtime, or an object of a library that only has
 * `then`.
 */
import { expect } from 'chai'
import { catchMaybePromise, mapMaybePromise as goOn } from '../lib/base/maybe-promise.js'
import { requireSession } from '../lib/index.js'
import { startApp } from './support/app.js'

type Settle = (fulfil: (value: unknown) => void, reject: (reason: unknown) => void) => void

/** Returns a value as `await` accepts it: its `then` receives two functions, and returns nothing. */
function thenable<T>(settle: Settle): PromiseLike<T> {
  const made: unknown = Object.fromEntries([['then', settle]])
  return made as PromiseLike<T>
}

const later = <T>(value: T) => thenable<T>((fulfil) => void setImmediate(fulfil, value))

describe('after and rescue', () => {
  it('wait for an object whose `then` returns nothing', async () => {
    expect(await goOn(later(1), (value) => value + 1)).to.equal(2)
    expect(
      await catchMaybePromise(
        () => later(1),
        () => 0,
      ),
    ).to.equal(1)
  })

  it('continue once if an object calls back twice', async () => {
    let calls = 0
    const twice = thenable<number>((fulfil) => {
      fulfil(1)
      fulfil(1)
    })
    await goOn(twice, () => {
      calls += 1
    })
    expect(calls).to.equal(1)
  })

  it('give an object a way to reject', async () => {
    const failing = () => thenable<number>((_fulfil, reject) => void setImmediate(reject, 'away'))
    const seen = await catchMaybePromise<unknown>(
      () => goOn(failing(), (value) => value),
      (thrown) => thrown,
    )
    expect(seen).to.equal('away')
  })
})

describe('callbacks that return an object with `then`', () => {
  it('do not lose a session, and a guard decides', async () => {
    const options = { allow: () => later(true) }
    const app = await startApp(
      { callbacks: { session: ({ session }) => later(session), jwt: ({ token }) => later(token) } },
      {
        after: (express, config) =>
          express.get('/guarded', requireSession(config, options), (_req, res) => void res.json({ through: true })),
      },
    )
    try {
      const browser = app.browser()
      await browser.signIn()
      expect((await browser.get('/auth/session')).body).to.have.nested.property('user.name', 'ann')
      expect((await browser.get('/guarded')).body).to.deep.equal({ through: true })
    } finally {
      await app.close()
    }
  })
})
