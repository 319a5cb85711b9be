/** Tests of the limits of mails: for one client, for one address, and through made-up hosts. */
import { expect } from 'chai'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import { createOwnMemory } from '../../../lib/base/memory.js'
import type { AuthContext, ResolvedEmailProvider } from '../../../lib/contracts/index.js'
import { TooManyRequests } from '../../../lib/errors.js'
import { networkOf } from '../../../lib/features/limits/attempts.js'
import { countMail } from '../../../lib/flows/email/limits.js'
import initAuth from '../../../shim/index.js'
import { createLog, secret, target } from '../../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../../support/clock.js'
import { openFetch } from '../../support/doors.js'
import { rejectionOf } from '../../support/rejection.js'
import { useMailStage } from './stage.js'

const address = 'ann@example.com'

describe('requests for mails', () => {
  const stage = useMailStage()
  const asFrom = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  const behindProxy = { trustProxy: 1 }

  it('EM-17 are rejected after five for one address, with the time to wait, and send no mail', async () => {
    freezeClock()
    for (let at = 0; at < 5; at += 1) expect((await stage.ask(address)).status).to.equal(303)
    await stage.settled()
    advanceClock(60)
    stage.calls.length = 0
    const refused = await stage.ask(address)
    expect(refused.status).to.equal(429)
    expect(refused.headers['retry-after']).to.equal('840')
    expect(refused.headers['content-type']).to.match(/^text\/html/)
    expect(refused.headers['cache-control']).to.include('no-store')
    expect(refused.text).to.not.include(address)
    const json = await stage.ask(address, { headers: { accept: 'application/json' } })
    expect([json.status, json.headers['retry-after'], json.body.error]).to.deep.equal([429, '840', 'TooManyRequests'])
    const published = await stage.ask(address, { headers: { 'x-auth-return-redirect': '1' } })
    expect(published.body.url).to.match(/\/auth\/error\?error=TooManyRequests$/)
    await stage.settled()
    expect(stage.server.mails).to.have.length(5)
    expect(stage.called()).to.deep.equal([])
    expect(stage.failures.map(({ type }) => type)).to.deep.equal(Array(3).fill('TooManyRequests'))
  })

  it('that are rejected keep the last link valid', async () => {
    await stage.restart({ limit: { perAddress: 1 } })
    const link = await stage.linkFor(address)
    for (let at = 0; at < 5; at += 1) expect((await stage.ask(address)).status).to.equal(429)
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('count by address, for every client and every spelling', async () => {
    await stage.restart({ limit: { perAddress: 2 } }, {}, behindProxy)
    await stage.ask(address, asFrom('192.0.2.1'))
    await stage.ask(' ANN＠example.com', asFrom('192.0.2.2'))
    expect((await stage.ask('Ann@Example.com', asFrom('192.0.2.3'))).status).to.equal(429)
    expect((await stage.ask('bob@example.com', asFrom('192.0.2.1'))).status).to.equal(303)
  })

  it('EM-17 HH-07 count by client, for every address', async () => {
    await stage.restart({ limit: { perClient: 2 } }, {}, behindProxy)
    const ask = async (who: string, ip: string) => (await stage.ask(`${who}@example.com`, asFrom(ip))).status
    expect(await ask('a', '192.0.2.1')).to.equal(303)
    expect(await ask('b', '::ffff:192.0.2.1')).to.equal(303)
    expect(await ask('c', '192.0.2.1')).to.equal(429)
    expect(await ask('c', '192.0.2.2')).to.equal(303)
    expect(await ask('d', '2001:db8:1:2::1')).to.equal(303)
    expect(await ask('e', '2001:DB8:1:2:ffff::')).to.equal(303)
    expect(await ask('f', '2001:0db8:0001:0002:a:b:c:d')).to.equal(429)
    expect(await ask('f', '2001:db8:1:3::1')).to.equal(303)
  })

  it('count by the address of the connection if there is no proxy', async () => {
    await stage.restart({ limit: { perClient: 2 } })
    expect((await stage.ask('a@example.com')).status).to.equal(303)
    expect((await stage.ask('b@example.com')).status).to.equal(303)
    expect((await stage.ask('c@example.com')).status).to.equal(429)
  })

  it('count only by the email address behind a proxy that is not trusted, with one warning', async () => {
    await stage.restart({ limit: { perAddress: 2, perClient: 2 } })
    const ask = async (who: string, ip: string) => (await stage.ask(`${who}@example.com`, asFrom(ip))).status
    for (const who of ['a', 'b', 'c', 'd']) expect(await ask(who, '192.0.2.1'), who).to.equal(303)
    expect(await ask('e', '192.0.2.2')).to.equal(303)
    expect(await ask('e', '192.0.2.3')).to.equal(303)
    expect(await ask('e', '192.0.2.4')).to.equal(429)
    const warnings = stage.app.log.warnings.filter(({ code }) => code === 'unknown-client')
    expect(warnings).to.have.length(1)
    expect(warnings[0]?.details[0]).to.include('trust proxy')
  })

  it('count only by the email address behind such a proxy with the shim, too, until the host names the client', async () => {
    const log = createLog()
    const providers = [stage.email({ limit: { perAddress: 9, perClient: 2 } })]
    const { handlers } = initAuth({ secret, logger: log.logger, adapter: memoryAdapter(), providers })
    const statuses = async (ip: string) => {
      const door = await openFetch(log, (request) => handlers.GET(request), { ip })
      const visitor = door.browser({ 'x-forwarded-for': '192.0.2.1' })
      const ask = (who: string) =>
        visitor.ask('/api/auth/signin/email', { form: { csrfToken: true, email: `${who}@example.com` } })
      const answers = [await ask('a'), await ask('b'), await ask('c')]
      await door.close()
      return answers.map(({ status }) => status)
    }
    for (const ip of ['127.0.0.1', '::1', '10.1.2.3']) expect(await statuses(ip), ip).to.deep.equal([303, 303, 303])
    expect(log.warnings.map(({ code }) => code).filter((code) => code === 'unknown-client')).to.have.length(1)
    expect(await statuses('192.0.2.1')).to.deep.equal([303, 303, 429])
    for (let sent = 0; sent < 11; sent += 1) await stage.server.next()
  })

  it('are answered again when the window has passed', async () => {
    await stage.restart({ limit: { perAddress: 2, window: 60 } })
    freezeClock()
    await stage.ask(address)
    advanceClock(30)
    await stage.ask(address)
    expect((await stage.ask(address)).headers['retry-after']).to.equal('30')
    advanceClock(31)
    expect((await stage.ask(address)).status).to.equal(303)
    expect((await stage.ask(address)).headers['retry-after']).to.equal('29')
  })

  it('never exceed the limit when many come at once', async () => {
    const csrfToken = await stage.browser.csrf()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => stage.browser.post('/auth/signin/email', { csrfToken, email: address })),
    )
    await stage.settled()
    expect(answers.filter(({ status }) => status === 303)).to.have.length(5)
    expect(answers.filter(({ status }) => status === 429)).to.have.length(95)
    expect(stage.server.mails).to.have.length(5)
  })

  it('are rejected for unknown users as for known ones', async () => {
    await stage.restart({ limit: { perAddress: 1 } })
    await stage.adapter.createUser?.({ id: 'u1', email: address, emailVerified: new Date() })
    freezeClock()
    const seen = []
    for (const who of [address, 'nobody@example.com']) {
      await stage.ask(who)
      const { status, headers } = await stage.ask(who)
      seen.push([status, headers['retry-after']])
    }
    expect(seen[0]).to.deep.equal(seen[1])
  })

  it('are counted after the CSRF check, and not for invalid addresses', async () => {
    await stage.restart({ limit: { perAddress: 1, perClient: 1 } })
    await stage.browser.post('/auth/signin/email', { email: address })
    await stage.ask('nobody')
    expect((await stage.ask(address)).status).to.equal(303)
  })

  it('are not counted with `limit: false`', async () => {
    await stage.restart({ limit: false })
    for (let at = 0; at < 8; at += 1) expect(target(await stage.ask(address))).to.match(/verify-request/)
    await stage.settled()
    expect(stage.server.mails).to.have.length(8)
  })
})

describe('countMail', () => {
  const from = (ip: string | undefined, headers = {}) =>
    ({
      config: { secrets: [secret], memory, logger: log.logger, events: {}, providers: new Map() },
      request: { headers, ...(ip !== undefined && { ip }) },
      cookies: { get: () => undefined },
      cookiePolicy: { device: { name: 'auth.device', options: {} } },
    }) as unknown as AuthContext
  const provider = (limit: object, id = 'email') =>
    ({ id, limit: { perAddress: 5, perClient: 50, window: 900, ...limit } }) as ResolvedEmailProvider
  let memory = createOwnMemory()
  let log = createLog()
  beforeEach(() => {
    memory = createOwnMemory()
    log = createLog()
  })
  afterEach(restoreClock)

  it('counts no clients without a known address together', async () => {
    const each = provider({ perClient: 1 })
    for (let at = 0; at < 5; at += 1) await countMail(from(undefined), each, `p${at}@example.com`)
  })

  it('counts a rejected request for neither', async () => {
    const each = provider({ perAddress: 1, perClient: 2 })
    const client = from('192.0.2.1')
    await countMail(client, each, 'a@x.test')
    for (let at = 0; at < 5; at += 1) {
      expect(await rejectionOf(countMail(client, each, 'a@x.test'))).to.be.an.instanceOf(TooManyRequests)
    }
    await countMail(client, each, 'b@x.test')
    expect(await rejectionOf(countMail(client, each, 'c@x.test'))).to.be.an.instanceOf(TooManyRequests)
  })

  it('does not treat an email address as a client', async () => {
    const each = provider({ perAddress: 1, perClient: 1 })
    await countMail(from('192.0.2.2'), each, '192.0.2.1')
    await countMail(from('192.0.2.1'), each, 'a@x.test')
  })

  it('counts for each provider, and for the site with any object of its provider', async () => {
    await countMail(from('192.0.2.1'), provider({ perAddress: 1 }), 'a@x.test')
    await countMail(from('192.0.2.1'), provider({ perAddress: 1 }, 'mail2'), 'a@x.test')
    const again = () => countMail(from('192.0.2.1'), provider({ perAddress: 1 }), 'a@x.test')
    expect(await rejectionOf(again())).to.be.an.instanceOf(TooManyRequests)
  })

  it('forgets the oldest clients, before it grows without end', async () => {
    const each = provider({ perAddress: 1, perClient: 1 })
    await countMail(from('192.0.2.1'), each, 'first@x.test')
    for (let at = 0; at < 100_000; at += 1) await countMail(from(undefined), each, `p${at}@x.test`)
    await countMail(from('192.0.2.1'), each, 'first@x.test')
    expect(await rejectionOf(countMail(from(undefined), each, 'p99999@x.test'))).to.be.an.instanceOf(TooManyRequests)
  })

  for (const [ip, headers, counts] of [
    ['127.0.0.1', {}, true],
    ['127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }, false],
    ['::1', { 'x-forwarded-for': '192.0.2.7' }, false],
    ['::ffff:172.18.0.1', { 'x-forwarded-for': '192.0.2.7' }, false],
    ['10.1.2.3', { 'x-forwarded-for': '192.0.2.7, 10.1.2.3' }, false],
    ['100.64.0.9', { 'x-forwarded-for': '192.0.2.7' }, false],
    ['fd00::1', { forwarded: 'for=192.0.2.7' }, false],
    ['192.168.0.1', { 'x-real-ip': '192.0.2.7' }, false],
    // The proxy is trusted, and the client is in its own network.
    ['10.1.2.3', { 'x-forwarded-for': '10.1.2.3' }, true],
    ['10.1.2.3', { 'x-forwarded-for': '::ffff:10.1.2.3' }, true],
    // Any client can send the header to an application that is reached directly.
    ['192.0.2.1', { 'x-forwarded-for': '192.0.2.7' }, true],
    ['172.32.0.1', { 'x-forwarded-for': '192.0.2.7' }, true],
    ['100.128.0.1', { 'x-forwarded-for': '192.0.2.7' }, true],
  ] as const) {
    it(`${counts ? 'counts' : 'does not count'} the client ${ip} with ${JSON.stringify(headers)}`, async () => {
      const each = provider({ perClient: 1 })
      await countMail(from(ip, headers), each, 'a@x.test')
      const second = () => countMail(from(ip, headers), each, 'b@x.test')
      if (counts) expect(await rejectionOf(second())).to.be.an.instanceOf(TooManyRequests)
      else await second()
      expect(log.warnings.map(({ code }) => code)).to.deep.equal(counts ? [] : ['unknown-client'])
    })
  }
})

describe('networkOf', () => {
  for (const [ips, network] of [
    [
      [
        '192.0.2.1',
        '::ffff:192.0.2.1',
        '::FFFF:192.0.2.1',
        '::ffff:c000:201',
        '0:0:0:0:0:ffff:c000:201',
        '192.0.2.1:443',
      ],
      '192.0.2.1',
    ],
    [['2001:db8::1', '2001:DB8:0:0::', '2001:0db8:0000:0000:ffff:ffff:ffff:ffff', '2001:db8::1:2'], '2001:db8:0:0'],
    [['fe80::1%eth0', 'fe80::2'], 'fe80:0:0:0'],
    [['::1', '::', '::2'], '0:0:0:0'],
    [['1:2:3:4:5:6:7:8', '1:2:3:4::', '01:02:03:04::9'], '1:2:3:4'],
    [['::3:4:5:6:7:8'], '0:0:3:4'],
    // All of IPv4 as a translator writes it (RFC 6052 §2.1, RFC 2765 §2.1), and one IPv4 address as 65,536 networks (RFC 3056 §2).
    [['64:ff9b::c000:201', '64:FF9B::192.0.2.1', '::ffff:0:192.0.2.1'], '192.0.2.1'],
    [['64:ff9b::1'], '0.0.0.1'],
    [['2002:c000:201::1', '2002:c000:201:ffff::'], '192.0.2.1'],
    [['', 'unknown', '1.2.3', '300.1.1.1', '1.2.3.4.5', '::x', ':', '1:2', '_hidden'], undefined],
  ] as const) {
    it(`is ${network} for ${ips.join(' and ')}`, () => {
      for (const ip of ips) expect(networkOf(ip)).to.equal(network)
    })
  }
})
