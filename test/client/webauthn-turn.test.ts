import { expect } from 'chai'
import { runExclusively } from '../../lib/client/passkey-schedule.js'

/** Creates work that continues until it is stopped, and then takes a while to end. It records its steps. */
function lasting(name: string, events: string[]): (signal: AbortSignal) => Promise<string> {
  return async (signal) => {
    events.push(`${name} begins`)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await new Promise((resolve) => setImmediate(resolve))
    events.push(`${name} ends`)
    throw new Error(name)
  }
}

const failed = (turn: Promise<unknown>) => turn.then(String, (error: Error) => error.message)

describe('inTurn(work, signal)', () => {
  it('returns the result of the work, and fails as it fails', async () => {
    expect(await runExclusively(async () => 'done')).to.equal('done')
    expect(await failed(runExclusively(() => Promise.reject(new Error('no'))))).to.equal('no')
  })

  it('stops the current work, and begins when that has ended', async () => {
    const events: string[] = []
    const first = failed(runExclusively(lasting('first', events)))
    await new Promise((resolve) => setImmediate(resolve))
    await runExclusively(async (signal) => void events.push(`second begins, aborted: ${signal.aborted}`))
    expect(await first).to.equal('first')
    expect(events).to.deep.equal(['first begins', 'first ends', 'second begins, aborted: false'])
  })

  it('of many the last one runs undisturbed; the others are stopped before they begin', async () => {
    const events: string[] = []
    const others = ['a', 'b'].map((name) => failed(runExclusively(lasting(name, events))))
    const last = await runExclusively(async (signal) => signal.aborted)
    expect(last).to.equal(false)
    expect(await Promise.all(others)).to.deep.equal(['a', 'b'])
    expect(events).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('is stopped by the caller, before and while it runs, and not after', async () => {
    const events: string[] = []
    expect(await failed(runExclusively(lasting('before', events), AbortSignal.abort()))).to.equal('before')
    const controller = new AbortController()
    const running = failed(runExclusively(lasting('while', events), controller.signal))
    controller.abort()
    expect(await running).to.equal('while')
    const later = new AbortController()
    const signal = await runExclusively(async (signal) => signal, later.signal)
    later.abort()
    expect(signal.aborted).to.equal(false)
  })
})
