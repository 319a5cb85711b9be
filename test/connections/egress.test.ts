import { createServer as createHttpServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { createEgressFetch, EgressError, isPublicAddress } from '../../lib/features/connections/egress.js'
import { egressRulesOf } from '../../lib/features/connections/provider.js'
import { privateHosts } from './private-hosts.js'

describe('requests to URLs of customers', () => {
  let server: Server
  let connections = 0
  let port = 0
  before(async () => {
    // Counts connections, whatever they say.
    server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  after(() => new Promise((resolve) => server.close(resolve)))
  beforeEach(() => {
    connections = 0
  })

  /** Answers the first query with one list of addresses, and all later ones with another. */
  const answering = (first: readonly string[], then = first): LookupFunction & { queries: number } => {
    const lookup: LookupFunction = (_host, options, callback) => {
      const found = (own.queries++ === 0 ? first : then).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }))
      if (options.all) callback(null, found)
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    }
    const own = Object.assign(lookup, { queries: 0 })
    return own
  }
  const noOrigins = new Set<string>()
  const failed = (outcome: PromiseSettledResult<unknown>) => outcome.status === 'rejected'
  /** Checks that a request was rejected before a connection: by the rules, or because it is no URL. */
  const refused = (outcome: PromiseSettledResult<unknown> | undefined) =>
    outcome?.status === 'rejected' &&
    (outcome.reason instanceof EgressError ||
      outcome.reason.code === 'ERR_INVALID_URL' ||
      outcome.reason.cause?.code === 'ERR_INVALID_URL')

  it('CN-01 reach no private host, in any spelling, at the port 443 or another', async () => {
    expect(privateHosts.length).to.be.greaterThan(60)
    const egress = createEgressFetch({ privateOrigins: noOrigins })
    for (const host of privateHosts) {
      for (const target of [`https://${host}/`, `https://${host}:${port}/`, `http://${host}:${port}/`]) {
        const [outcome] = await Promise.allSettled([(async () => egress(target))()])
        expect(refused(outcome), target).to.equal(true)
      }
    }
    expect(connections).to.equal(0)
  })

  it('CN-01 reach a private origin only for an issuer at a private origin', async () => {
    const origin = `http://127.0.0.1:${port}`
    const connectionsOption = { privateOrigins: new Set([origin, 'https://idp.intern.example']) }
    const reach = (issuer: string) => createEgressFetch(egressRulesOf(connectionsOption, issuer))(`${origin}/token`)
    for (const issuer of ['https://idp.customer.example', `${origin.replace('http:', 'https:')}/realm`]) {
      const [outcome] = await Promise.allSettled([reach(issuer)])
      expect(refused(outcome), issuer).to.equal(true)
    }
    expect(connections).to.equal(0)
    for (const issuer of [`${origin}/realm`, 'https://idp.intern.example/realm'])
      await Promise.allSettled([reach(issuer)])
    expect(connections).to.equal(2)
  })

  it('CN-01 reach no other scheme, port or user', async () => {
    const egress = createEgressFetch({ privateOrigins: noOrigins, lookup: answering(['93.184.216.34']) })
    for (const target of [
      'http://idp.example/',
      'https://idp.example:8443/',
      'ftp://idp.example/',
      'file:///etc/passwd',
      'data:text/plain,a',
      'https://a:b@idp.example/',
    ]) {
      const [outcome] = await Promise.allSettled([(async () => egress(target))()])
      expect(outcome && failed(outcome), target).to.equal(true)
    }
  })

  it('CN-02 fail where one address of a name is private, and are not fooled by a later answer', async () => {
    const names: ReadonlyArray<readonly [first: string[], then: string[]]> = [
      [['127.0.0.1'], ['127.0.0.1']],
      [['93.184.216.34', '127.0.0.1'], ['127.0.0.1']],
      [['::ffff:127.0.0.1'], ['127.0.0.1']],
      [['fe80::1%lo'], ['127.0.0.1']],
      [['not an address'], ['127.0.0.1']],
      [[], ['127.0.0.1']],
    ]
    for (const [first, then] of names) {
      const lookup = answering(first, then)
      const egress = createEgressFetch({ privateOrigins: noOrigins, lookup })
      const [outcome] = await Promise.allSettled([egress('https://idp.example/')])
      expect(refused(outcome), first.join()).to.equal(true)
      expect(lookup.queries).to.equal(1)
    }
    expect(connections).to.equal(0)
  })

  it('CN-02 connect to the address that was checked: one query for each connection', async () => {
    const lookup = answering(['93.184.216.34'], ['127.0.0.1'])
    const egress = createEgressFetch({ privateOrigins: noOrigins, lookup })
    const attempt = egress('https://idp.example/', { signal: AbortSignal.timeout(300) })
    await attempt.catch(() => {})
    const [again] = await Promise.allSettled([egress('https://idp.example/', { signal: AbortSignal.timeout(300) })])
    expect(again && failed(again)).to.equal(true)
    expect([lookup.queries, connections]).to.deep.equal([2, 0])
  })

  it('CN-03 follow no redirect, limit the size, and decode nothing', async () => {
    const web = createHttpServer((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end()
      else if (request.url === '/long') response.end(Buffer.alloc(2 * 1024 * 1024))
      else if (request.url === '/zip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
      else
        request.pipe(
          response.writeHead(200, {
            'x-method': request.method ?? '',
            'x-type': request.headers['content-type'] ?? '',
          }),
        )
    })
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    try {
      const egress = createEgressFetch({ privateOrigins: new Set([origin]) })
      const redirected = await egress(`${origin}/redirect`)
      expect(redirected.status).to.equal(302)
      const [long] = await Promise.allSettled([egress(`${origin}/long`).then((response) => response.text())])
      expect(long && failed(long)).to.equal(true)
      const [zipped] = await Promise.allSettled([egress(`${origin}/zip`)])
      expect(zipped && failed(zipped)).to.equal(true)
      const posted = await egress(`${origin}/echo`, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) })
      expect([await posted.text(), posted.headers.get('x-method')]).to.deep.equal(['a=b+c', 'POST'])
      expect(posted.headers.get('x-type')).to.include('application/x-www-form-urlencoded')
      // Another port of the same host is not the origin.
      const [other] = await Promise.allSettled([egress(`http://127.0.0.1:${port}/`)])
      expect(other && failed(other)).to.equal(true)
    } finally {
      web.closeAllConnections()
      await new Promise((resolve) => web.close(resolve))
    }
    expect(connections).to.equal(0)
  })

  it('CN-01 know public addresses', () => {
    for (const address of [
      '8.8.8.8',
      '93.184.216.34',
      '100.63.255.255',
      '100.128.0.1',
      '172.32.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ])
      expect(isPublicAddress(address), address).to.equal(true)
  })
})
