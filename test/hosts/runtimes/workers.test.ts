/** Cloudflare Workers: the whole engine in `workerd`, on D1. Needs `npm run build`. */
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { freePorts } from '../../support/free-ports.js'
import { Browser } from '../../support/http-browser.js'
import { itSignsIn, type Services, startServices } from './suite.js'
import { bundleWorker, type Miniflare, startWorker } from './workerd.js'

const entry = fileURLToPath(new URL('./workers.ts', import.meta.url))

describe('Cloudflare Workers, what cannot run there', function () {
  this.timeout(120_000)

  it('is rejected with the alternative', async () => {
    const [port = 0] = await freePorts(1)
    const worker = await startWorker(await bundleWorker(fileURLToPath(new URL('./refusals.ts', import.meta.url))), {
      port,
    })
    await worker.ready
    const response = await fetch(`http://127.0.0.1:${port}/`)
    const messages = await response.json()
    await worker.dispose()
    const native = 'needs a native package, which Cloudflare Workers cannot run'
    const elsewhere = 'Verify these hashes on a Node.js server, or let users reset their passwords.'
    expect(messages).to.deep.equal({
      argon2id: `InvalidConfiguration: argon2id() ${native}. Use \`scrypt()\`, or leave out \`hash\`.`,
      bcrypt: `InvalidConfiguration: bcrypt() ${native}. ${elsewhere}`,
      bloomFile: 'InvalidConfiguration: bloomFile: Cloudflare Workers have no files. Use `hibp()` instead.',
      'connect, SQLite':
        'TypeError: Cloudflare Workers have no SQLite files. Use `d1Adapter` of server-auth/adapters/d1.',
      Email:
        'InvalidConfiguration: Provider "email" cannot send over SMTP on Cloudflare Workers. Use a mail service with an HTTP API, such as `server-auth/providers/resend`, or your own `sendVerificationRequest`.',
      clientCertificate:
        'InvalidConfiguration: `providers.bank.clientCertificate` cannot be used on Cloudflare Workers. Use `customFetch` with an mTLS certificate binding.',
      defaultHasher: 'no error: "scrypt"',
      'Argon2, stored': `InvalidConfiguration: A stored password is hashed with Argon2, which ${native}. ${elsewhere}`,
    })
  })
})

describe('Cloudflare Workers', function () {
  this.timeout(120_000)
  let worker: Miniflare
  let services: Services
  let origin = ''

  before(async () => {
    services = await startServices()
    const [port = 0] = await freePorts(1)
    origin = `http://localhost:${port}`
    worker = await startWorker(await bundleWorker(entry), {
      port,
      d1Databases: ['DB'],
      bindings: { SETTINGS: services.settings(origin) },
    })
    await worker.ready
    expect((await fetch(`${origin}/migrate`)).status).to.equal(200)
  })
  after(async () => {
    await worker.dispose()
    await services.close()
  })

  itSignsIn(() => ({ origin, services }))

  it('keeps a sign-in apart from one whose visitor left', async () => {
    const signIn = (browser: Browser) => browser.submit('/api/auth/signin/test')
    await services.provider.rotateKeys()
    const leaving = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const controller = new AbortController()
        const sent = fetch(`${origin}/api/auth/signin/test`, {
          method: 'POST',
          headers: { 'sec-fetch-site': 'same-origin', origin },
          signal: controller.signal,
        })
        setTimeout(() => controller.abort(), 5)
        return sent.then(
          ({ status }) => status,
          () => 'left',
        )
      }),
    )
    const staying = await Promise.all(
      Array.from({ length: 5 }, () => signIn(new Browser(origin, { base: '/api/auth' }))),
    )
    expect(leaving).to.have.length(5)
    expect(staying.map(({ status }) => status)).to.deep.equal([303, 303, 303, 303, 303])
  })

  it('migrates once', async () => {
    const again = await fetch(`${origin}/migrate`)
    expect(await again.json()).to.deep.equal({ applied: [], sql: [] })
  })
})
