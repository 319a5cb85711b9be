/** Servers that hand over a `Request` whose URL is none: they put scheme, `Host` header and target together, and look no further. */
import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { expect } from 'chai'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { configure, logOf } from './stage.js'

describe('a Host header with which there is no URL', () => {
  let server: Server
  let faults: unknown[]
  let reached = 0
  afterEach(() => server.close())

  async function start(config: FullStackAuthConfig): Promise<void> {
    const { handlers, auth } = initAuth(config)
    const guarded = auth(() => {
      reached += 1
      return new Response('in')
    })
    faults = []
    reached = 0
    const listener = getRequestListener(
      (request) => (request.url.endsWith('/guarded') ? guarded(request) : handlers.GET(request)),
      { overrideGlobalObjects: false, errorHandler: (error) => new Response(`${faults.push(error)}`, { status: 500 }) },
    )
    server = createServer((request, response) => void listener(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  function get(path: string, accept: string): Promise<{ status: number | undefined; text: string }> {
    const { port } = server.address() as AddressInfo
    return new Promise((resolve, reject) => {
      ask({ port, path, headers: { host: '0800', accept } }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
        .on('error', reject)
        .end()
    })
  }

  for (const accept of ['*/*', 'application/json', 'text/html']) {
    for (const path of ['/api/auth/session', '/api/auth/signin', '/else', '/guarded']) {
      it(`HH-02 is refused at ${path}, to who accepts ${accept}`, async () => {
        const config = configure()
        await start(config)
        const { status, text } = await get(path, accept)
        expect(status).to.equal(400)
        expect(text).to.include('Host')
        expect([faults, reached]).to.deep.equal([[], 0])
        expect(logOf(config).errors).to.deep.equal([])
      })
    }
  }

  it('is answered where the configuration is wrong, too', async () => {
    await start(configure({ secret: '' }))
    const { status } = await get('/api/auth/session', 'text/html')
    expect(status).to.be.oneOf([400, 500])
    expect(faults).to.deep.equal([])
  })
})
