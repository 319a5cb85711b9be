/** The identification of clients, and that unknown clients share nothing. Behind a real nginx, too. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { RateLimitOptions } from '../../lib/features/limits/types.js'
import initAuth from '../../shim/index.js'
import { createLog, credentials, secret } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import { crowd } from '../support/extent.js'
import { freePort } from '../support/free-ports.js'
import { Browser } from '../support/http-browser.js'
import { skip } from '../support/skip.js'
import { doors, type LimitStage, openLimitStage } from './stage.js'

const strict: RateLimitOptions = { rules: { credentials: { perClient: 10, window: 900 } } }

describe('guesses of one client', () => {
  let stage: LimitStage
  afterEach(() => stage.close())

  it('RL-04 are counted by the network: a thousand accounts from one /64', async () => {
    stage = await openLimitStage(doors.express)
    for (let at = 0; at < crowd(1000); at += 1) {
      const ip = `2001:db8:1:2:${(at * 7919 + 1).toString(16).slice(-4)}:${at.toString(16)}:0:${(at % 65536).toString(16)}`
      await stage.guess(stage.stranger(ip), `person-${at}`)
    }
    expect(stage.evaluated).to.have.length(100)
    expect((await stage.guess(stage.stranger('2001:db8:1:3::1'), 'person-1', 'right')).status).to.equal(200)
    expect(new Set(stage.denied.map(({ by }) => by))).to.deep.equal(new Set(['client']))
    expect(new Set(stage.denied.map(({ key }) => key)).size).to.equal(1)
  })

  it('CD-04 at one account from a thousand addresses are counted by the account', async () => {
    stage = await openLimitStage(doors.express)
    for (let at = 0; at < crowd(1000); at += 1) {
      await stage.guess(stage.stranger(`198.51.${Math.floor(at / 250)}.${at % 250}`), 'ann')
    }
    expect(stage.evaluated.length).to.be.within(5, 8)
    expect(new Set(stage.denied.map(({ by }) => by))).to.deep.equal(new Set(['account']))
  })

  it('RL-04 are counted together however the address is written', async () => {
    stage = await openLimitStage(doors.express, { rateLimit: strict })
    const spellings = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1']
    for (let at = 0; at < 12; at += 1) await stage.guess(stage.stranger(spellings[at % 4]), `p${at}`)
    expect(stage.evaluated).to.have.length(10)
  })

  it('RL-03 are not counted if the client is not known: there is no common bucket', async () => {
    const log = createLog()
    const { handlers } = initAuth({ secret, logger: log.logger, rateLimit: strict, providers: [credentials()] })
    stage = await openLimitStage(() => openFetch(log, (request) => handlers.GET(request)))
    const statuses = new Set<number>()
    for (let at = 0; at < 20; at += 1) statuses.add((await stage.guess(stage.stranger(), `p${at}`)).status)
    expect([...statuses]).to.deep.equal([401])
  })

  it('RL-03 are not counted if a proxy names no address', async () => {
    stage = await openLimitStage(doors.express, { rateLimit: strict })
    const statuses = new Set<number>()
    for (let at = 0; at < 20; at += 1) {
      const named = ['unknown', '_hidden', '-', '300.1.1.1', '[]', '1.2.3'][at % 6]
      statuses.add((await stage.guess(stage.stranger(named), `p${at}`)).status)
    }
    for (const { warnings } of [stage.door.log]) expect(warnings.map(({ code }) => code)).to.include('unknown-client')
    expect([...statuses]).to.deep.equal([401])
  })

  it('that are rejected slow down no account', async () => {
    stage = await openLimitStage(doors.express)
    for (let at = 0; at < 100; at += 1) await stage.guess(stage.stranger('192.0.2.1'), `other-${at}`)
    for (let at = 0; at < 20; at += 1) {
      expect((await stage.guess(stage.stranger('192.0.2.1'), 'ann')).status).to.equal(429)
    }
    expect((await stage.guess(stage.stranger('192.0.2.2'), 'ann', 'right')).status).to.equal(200)
  })

  it('at one account are counted separately if the rule says so', async () => {
    stage = await openLimitStage(doors.express, {
      rateLimit: { rules: { credentials: { perClientAndAccount: 2, window: 900 } } },
    })
    const from = (ip: string, username: string) => stage.guess(stage.stranger(ip), username)
    for (let at = 0; at < 3; at += 1) await from('192.0.2.1', 'ann')
    expect(stage.evaluated).to.have.length(2)
    expect((await from('192.0.2.1', 'bob')).status).to.equal(401)
    expect((await from('192.0.2.2', 'ann')).status).to.equal(401)
    expect(stage.denied.map(({ by }) => by)).to.deep.equal(['clientAndAccount'])
  })
})

describe('guesses behind nginx', function () {
  this.timeout(20_000)
  let nginx: Nginx | undefined
  let door: Door
  const log = createLog()
  const guess = (origin: string, at: number, forged = {}) =>
    new Browser(origin, { base: '/api/auth' }).ask('/api/auth/callback/credentials', {
      form: { username: `person-${at}`, password: 'wrong' },
      headers: {
        origin,
        'sec-fetch-site': 'same-origin',
        accept: 'application/json',
        'x-test-client': '198.51.100.7',
        ...forged,
      },
    })

  async function open(context: Mocha.Context, trustProxy: number | false): Promise<string> {
    const config = { logger: log.logger, rateLimit: strict, secret: `${secret}-${Math.random()}` }
    door = await openExpress(config, { trustProxy })
    nginx = await startNginx(context, door.origin)
    return nginx.origin
  }
  afterEach(async () => {
    await nginx?.stop()
    await door.close()
  })

  it('that is trusted count for the client, whatever X-Forwarded-For is forged', async function () {
    const origin = await open(this, 1)
    const statuses = []
    for (let at = 0; at < 12; at += 1) {
      const forged = { 'x-forwarded-for': `203.0.113.${at}`, 'x-real-ip': `203.0.113.${at}` }
      statuses.push((await guess(origin, at, forged)).status)
    }
    expect(statuses).to.deep.equal([...Array(10).fill(401), 429, 429])
  })

  it('that is not trusted are not counted for a client, with a warning', async function () {
    const origin = await open(this, false)
    const statuses = new Set<number>()
    for (let at = 0; at < 12; at += 1) statuses.add((await guess(origin, at)).status)
    expect([...statuses]).to.deep.equal([401])
    expect(log.warnings.map(({ code }) => code)).to.include('unknown-client')
  })

  it('cannot bypass it by a header that names a proxy', async function () {
    await open(this, 1)
    // Straight to the application, from a public address as far as it knows: the last address that is named is the client's.
    const statuses = []
    for (let at = 0; at < 12; at += 1) {
      const forged = { 'x-forwarded-for': `10.0.0.${at}, 198.51.100.9`, forwarded: 'for=10.0.0.1' }
      statuses.push((await guess(door.origin, at, forged)).status)
    }
    expect(statuses.slice(-2)).to.deep.equal([429, 429])
  })
})

interface Nginx {
  readonly origin: string
  stop(): Promise<void>
}

/**
 * Starts a proxy as most are set up: it adds the client's address to `X-Forwarded-For`. On loopback all clients have
 * one address, so it uses `X-Test-Client` as the address of the connection.
 */
async function startNginx(context: Mocha.Context, upstream: string): Promise<Nginx> {
  const bin = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find(existsSync)
  if (bin === undefined) return skip(context, 'nginx is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-nginx-'))
  const port = await freePort()
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  set_real_ip_from 127.0.0.1; real_ip_header X-Test-Client;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn(bin, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswering(child, origin)
  return {
    origin,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilAnswering(child: ChildProcess, origin: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const answer = await fetch(`${origin}/api/auth/csrf`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
