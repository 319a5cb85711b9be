/** Watches that cannot begin, because there is no configuration for the request. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { WatchEndReason } from '../../lib/features/watch/types.js'
import type { SessionRequest } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { createTenants } from '../tenants/stage.js'

const fault = new Error('the listener of the test failed')

/** The reasons that the listeners got. */
const reasons: string[] = []

/** Listeners that fail in each way. */
const listeners = {
  throws(reason: WatchEndReason) {
    reasons.push(reason)
    throw fault
  },
  async rejects(reason: WatchEndReason) {
    reasons.push(reason)
    throw fault
  },
}

/** Returns what would have ended the process while the work runs. */
async function rejectionsDuring(work: () => void): Promise<unknown[]> {
  const rejections: unknown[] = []
  const others = process.listeners('unhandledRejection')
  // The runner's own listener would end the test.
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (reason) => rejections.push(reason))
  try {
    work()
    await wait(100)
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
  return rejections
}

describe('a watch that cannot begin', () => {
  beforeEach(() => {
    reasons.length = 0
  })

  for (const [name, onEnd] of Object.entries(listeners)) {
    it(`a host of no tenant does not end a process whose listener ${name}`, async () => {
      const { auth, log } = createTenants({ load: () => null })
      const req = { headers: { host: 'unknown.test' }, url: '/', socket: {} } as unknown as SessionRequest
      expect(await rejectionsDuring(() => auth.sessions.watch(req, onEnd))).to.deep.equal([])
      expect(reasons).to.deep.equal(['outage'])
      expect(log.errors).to.include(fault)
    })

    it(`a failing configuration does not end a process whose listener ${name} (shim)`, async () => {
      const { sessions } = initAuth(() => Promise.reject(new Error('no configuration')))
      const printed: unknown[] = []
      const { error } = console
      console.error = (...given) => printed.push(...given)
      try {
        expect(await rejectionsDuring(() => sessions.watch(onEnd))).to.deep.equal([])
      } finally {
        console.error = error
      }
      expect(reasons).to.deep.equal(['outage'])
      expect(printed.join('\n')).to.include(fault.message)
    })
  }

  it('a call without a listener is logged', async () => {
    const { auth, log } = createTenants({ load: () => null })
    const req = { headers: { host: 'unknown.test' }, url: '/', socket: {} } as unknown as SessionRequest
    expect(await rejectionsDuring(() => void Reflect.apply(auth.sessions.watch, undefined, [req]))).to.deep.equal([])
    expect(log.errors).to.have.length(1)
  })
})
