import { expect } from 'chai'
import { InvalidRequest } from '../../lib/errors.js'
import { bodyLimit } from '../../lib/router/parse-body.js'
import { readFetchBody } from '../../shim/body.js'
import { rejectionOf } from '../support/rejection.js'

/** A request whose body comes out of a stream; `cancelled` says whether the reader gave up. */
function streaming(source: UnderlyingDefaultSource<Uint8Array>, signal?: AbortSignal) {
  const state = { cancelled: false }
  const cancel = () => {
    state.cancelled = true
  }
  const body = new ReadableStream<Uint8Array>({ ...source, cancel })
  const init = { method: 'POST', body, duplex: 'half' as const, ...(signal && { signal }) }
  return { request: new Request('http://app.test/', init), state }
}

describe('readBody(request)', () => {
  it('joins the parts', async () => {
    const { request } = streaming({
      start(controller) {
        controller.enqueue(Buffer.from('a='))
        controller.enqueue(Buffer.from('1'))
        controller.close()
      },
    })
    expect(await readFetchBody(request)).to.deep.equal(Buffer.from('a=1'))
  })

  it('reads nothing where there is no body', async () => {
    expect(await readFetchBody(new Request('http://app.test/', { method: 'POST' }))).to.have.length(0)
  })

  it('reads exactly as much as the Router takes', async () => {
    const full = new Request('http://app.test/', { method: 'POST', body: 'x'.repeat(bodyLimit) })
    expect(await readFetchBody(full)).to.have.length(bodyLimit)
  })

  it('stops reading what never ends', async () => {
    const pulled = { count: 0 }
    const { request, state } = streaming({
      pull(controller) {
        pulled.count += 1
        controller.enqueue(Buffer.alloc(16 * 1024))
      },
    })
    const error = await rejectionOf(readFetchBody(request))
    expect(error).to.be.instanceOf(InvalidRequest).and.include({ status: 413 })
    expect(pulled.count).to.be.lessThan(12)
    expect(state.cancelled).to.equal(true)
  })

  it('does not begin with what says that it is too long', async () => {
    const request = new Request('http://app.test/', {
      method: 'POST',
      body: 'x',
      headers: { 'content-length': '9999999' },
    })
    expect(await rejectionOf(readFetchBody(request)))
      .to.be.instanceOf(InvalidRequest)
      .and.include({ status: 413 })
    expect(request.bodyUsed).to.equal(false)
  })

  it('gives up a body that stands still', async () => {
    const { request, state } = streaming({ start: (controller) => controller.enqueue(Buffer.from('a')) })
    const error = await rejectionOf(readFetchBody(request, 20))
    expect(error).to.be.instanceOf(InvalidRequest).and.include({ status: 408 })
    expect(state.cancelled).to.equal(true)
  })

  it('leaves no timer behind, whatever becomes of the body', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    // The test runner sets one of its own when a test has returned its promise.
    await new Promise((resolve) => setImmediate(resolve))
    const before = timers()
    const whole = streaming({ start: (controller) => controller.close() })
    const reading = readFetchBody(whole.request)
    expect(timers()).to.equal(before + 1)
    await reading
    await rejectionOf(readFetchBody(streaming({ pull: () => Promise.reject(new Error('reset')) }).request))
    await rejectionOf(readFetchBody(streaming({}, AbortSignal.abort()).request))
    expect(timers()).to.equal(before)
  })

  it('gives up when the client does', async () => {
    const abort = new AbortController()
    const { request, state } = streaming({}, abort.signal)
    const reading = rejectionOf(readFetchBody(request))
    abort.abort()
    expect(await reading)
      .to.be.instanceOf(InvalidRequest)
      .and.include({ status: 400 })
    expect(state.cancelled).to.equal(true)
  })

  it('does not begin when the client has gone before', async () => {
    const { request } = streaming({}, AbortSignal.abort())
    expect(await rejectionOf(readFetchBody(request))).to.be.instanceOf(InvalidRequest)
  })

  it('refuses a body that breaks off', async () => {
    const { request } = streaming({ pull: () => Promise.reject(new Error('reset')) })
    expect(await rejectionOf(readFetchBody(request)))
      .to.be.instanceOf(InvalidRequest)
      .and.include({ status: 400 })
  })

  it('says so when the application has read the body', async () => {
    const request = new Request('http://app.test/', { method: 'POST', body: 'a=1' })
    await request.text()
    expect((await rejectionOf(readFetchBody(request))).message).to.match(/has already been read/)
  })
})
