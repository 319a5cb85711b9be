/** The guide to SAML: its program, with a provider of this file and with LemonLDAP::NG. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'chai'
import { describeInBrowser } from '../support/browser.js'
import { authority, serverCertificate } from '../support/certificates.js'
import { freePort } from '../support/free-ports.js'
import { type Answer, Browser } from '../support/http-browser.js'
import { type Jar, type LemonldapProvider, missingLemonldapSaml, person, startLemonldap } from '../support/lemonldap.js'
import { rejectionOf } from '../support/rejection.js'
import {
  type AssertionParts,
  attributeStatement,
  audience,
  encoded,
  metadataOf,
  parties,
  validResponse,
} from '../support/saml-documents.js'
import { skip } from '../support/skip.js'
import { type RunningProgram, remove, start, unpack, write } from './guide-code.js'

/** A request of the application, as the provider reads it. */
interface SamlRequest {
  readonly id: string
  readonly xml: string
  readonly relayState: string
}

function requestIn({ headers }: Answer): SamlRequest {
  const { searchParams } = new URL(headers.location ?? '')
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return { xml, id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '' }
}

/** Returns the fields that the provider posts. @param request Absent: the user began at the provider. */
function fieldsFor(site: string, request?: SamlRequest, parts: AssertionParts = {}): Record<string, string> {
  const acs = `${site}/saml/acs`
  const xml = validResponse(
    {
      id: `_${randomUUID()}`,
      restrictions: audience(`${site}/saml/metadata`),
      more: attributeStatement({ displayName: ['Ann Smith'] }),
      ...parts,
      data: { InResponseTo: request?.id, Recipient: acs },
    },
    { response: { Destination: acs, InResponseTo: request?.id } },
  )
  return { SAMLResponse: encoded(xml), ...(request && { RelayState: request.relayState }) }
}

describe('the program of the guide to SAML', function () {
  this.timeout(90_000)
  this.slow(20_000)
  const folder = unpack('guides/saml.md')
  let app: RunningProgram
  let second: RunningProgram

  before(async () => {
    write(folder, 'idp.xml', metadataOf())
    const env = { SAML_ENTITY_ID: parties.entityId }
    app = await start(folder, 'app.ts', env)
    second = await start(folder, 'app.ts', { ...env, AUTH_URL: app.origin })
  })
  after(async () => {
    await Promise.all([app?.close(), second?.close()])
    remove(folder)
  })

  const begin = async (browser: Browser, to = '/') => requestIn(await browser.get(`/saml/login?to=${to}`))

  /** Posts as the provider's page does: without the cookies of the browser. Returns the next URL. */
  async function post(fields: Record<string, string>, origin = app.origin): Promise<string> {
    const answer = await new Browser(origin).post('/saml/acs', fields)
    expect(answer.status, answer.text).to.equal(303)
    expect(answer.cookies).to.deep.equal([])
    return answer.headers.location ?? ''
  }

  async function signIn(browser: Browser, parts: AssertionParts = {}): Promise<Answer> {
    return browser.get(await post(fieldsFor(app.origin, await begin(browser), parts)))
  }

  const refused = async (answer: Answer, browser: Browser) => {
    expect(answer.status, answer.text).to.equal(403)
    expect(await browser.session()).to.equal(null)
  }

  it('sends a request, with a cookie for the answer', async () => {
    const answer = await new Browser(app.origin).get('/saml/login')
    expect(answer.status).to.equal(303)
    expect(answer.headers.location).to.match(/^https:\/\/idp\.example\.com\/sso\?SAMLRequest=/)
    expect(answer.cookies.join()).to.match(/^saml=[\w-]{43}; Max-Age=600; Path=\/; .*HttpOnly; SameSite=Lax$/)
    const { xml, relayState } = requestIn(answer)
    expect(xml)
      .to.contain(`AssertionConsumerServiceURL="${app.origin}/saml/acs"`)
      .and.contain('nameid-format:persistent')
    expect(relayState).to.match(/^[\w-]{22}$/)
  })

  it('describes itself for the identity provider', async () => {
    const { text } = await new Browser(app.origin).get('/saml/metadata')
    expect(text).to.contain(`entityID="${app.origin}/saml/metadata"`).and.contain(`Location="${app.origin}/saml/acs"`)
  })

  it('signs the user in, and finds the same user again', async () => {
    const [browser, other] = [new Browser(app.origin), new Browser(app.origin)]
    const end = await signIn(browser)
    expect([end.status, end.headers.location]).to.deep.equal([303, `${app.origin}/`])
    const { user } = await browser.session()
    expect(user).to.include({ name: 'Ann Smith' })
    expect(user.email ?? '').to.equal('')
    await signIn(other)
    expect((await other.session()).user.id).to.equal(user.id)
    await signIn(other, { nameId: 'bob-2' })
    expect((await other.session()).user.id).to.not.equal(user.id)
  })

  it('creates one user for two first sign-ins at the same time', async () => {
    const browsers = Array.from({ length: 6 }, () => new Browser(app.origin))
    await Promise.all(browsers.map((browser) => signIn(browser, { nameId: 'cy-3' })))
    const ids = await Promise.all(browsers.map(async (browser) => (await browser.session()).user.id))
    expect(new Set(ids).size).to.equal(1)
  })

  it('returns to a page of the site only', async () => {
    const targets = { '/notes?a=1': `${app.origin}/notes?a=1`, 'https://evil.example/': `${app.origin}/` }
    for (const [to, end] of Object.entries(targets)) {
      const browser = new Browser(app.origin)
      const next = await post(fieldsFor(app.origin, await begin(browser, encodeURIComponent(to))))
      expect((await browser.get(next)).headers.location).to.equal(end)
    }
  })

  it('accepts an answer only in the browser that began', async () => {
    const [browser, stranger, visitor] = Array.from({ length: 3 }, () => new Browser(app.origin)) as [
      Browser,
      Browser,
      Browser,
    ]
    await begin(visitor)
    const next = await post(fieldsFor(app.origin, await begin(browser)))
    await refused(await stranger.get(next), stranger)
    await refused(await visitor.get(next), visitor)
    expect((await browser.get(next)).status).to.equal(303)
  })

  it('accepts an answer only with the attempt that began', async () => {
    const browser = new Browser(app.origin)
    const [first, later] = [await begin(browser), await begin(browser)]
    const mixed = { ...fieldsFor(app.origin, first), RelayState: later.relayState }
    await refused(await browser.get(await post(mixed)), browser)
  })

  it('serves several tabs of a browser', async () => {
    const browser = new Browser(app.origin)
    const requests = [await begin(browser), await begin(browser)]
    for (const request of requests) {
      expect((await browser.get(await post(fieldsFor(app.origin, request)))).status).to.equal(303)
    }
  })

  it('accepts one of many concurrent answers, at two processes', async () => {
    const browser = new Browser(app.origin)
    const request = await begin(browser)
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { origin } = index % 2 === 0 ? app : second
        const next = new URL(await post(fieldsFor(app.origin, request), origin), origin)
        const tab = new Browser(origin)
        for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
        return (await tab.get(next.pathname + next.search)).status
      }),
    )
    expect(answers.sort()).to.deep.equal([303, ...Array(19).fill(403)])
  })

  it('gives a request to one of two callers', async () => {
    write(
      folder,
      'take.ts',
      `import { storeRequest, takeRequest } from './auth.js'
      await storeRequest('_a', '/')
      const taken = await Promise.all([takeRequest('_a'), takeRequest('_a'), takeRequest('_b')])
      console.log(JSON.stringify(taken.map(Boolean)))
      process.exit()`,
    )
    const env = { ...process.env, AUTH_SECRET: 'a-secret-for-tests-of-32-characters', DATABASE_URL: 'sqlite:take.db' }
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'take.ts'], { cwd: folder, env })
    expect(JSON.parse(stdout)).to.deep.equal([true, false, false])
  })

  it('accepts an assertion once, even for another request', async () => {
    const browser = new Browser(app.origin)
    await signIn(browser, { id: '_once' })
    const visitor = new Browser(app.origin)
    await refused(await signIn(visitor, { id: '_once' }), visitor)
  })

  it('begins a request of its own if the user began at the identity provider', async () => {
    expect(await post(fieldsFor(app.origin))).to.equal('/saml/login')
    // A provider that answers our requests like that would be asked forever.
    const browser = new Browser(app.origin)
    const { relayState } = await begin(browser)
    const next = await post({ ...fieldsFor(app.origin), RelayState: relayState })
    await refused(await browser.get(next), browser)
  })

  it('refuses other values, and bodies of any form', async () => {
    const browser = new Browser(app.origin)
    await signIn(browser)
    const session = browser.cookies.get('auth.session-token') ?? ''
    const visitor = new Browser(app.origin)
    await begin(visitor)
    for (const value of ['', 'a', session]) await refused(await visitor.get(`/saml/finish?response=${value}`), visitor)
    await refused(await visitor.get('/saml/finish?response[]=a'), visitor)
    const bodies: Array<[number, object]> = [
      [403, { body: '' }],
      [403, { json: { SAMLResponse: ['a'] } }],
      [403, { form: { SAMLResponse: encoded('<a>'.repeat(100)) } }],
      [413, { form: { SAMLResponse: 'a'.repeat(700_000) } }],
    ]
    for (const [status, body] of bodies) {
      expect((await visitor.ask('/saml/acs', { method: 'POST', ...body })).status).to.equal(status)
    }
    expect((await visitor.get('/')).status).to.equal(200)
  })

  it('logs no user and no response', () => {
    // Stack traces name files, whose paths may be long.
    expect(app.log().replaceAll(/\((?:file:\/\/)?\/[^\s)]+\)/g, ''))
      .to.contain('SAML: ')
      .and.not.match(/ann-1|Ann|SAMLResponse|[\w+/=-]{60}/)
  })
})

describe('the program of the guide to SAML, with metadata of a URL', function () {
  this.timeout(90_000)
  const folder = unpack('guides/saml.md')
  const server = createServer(serverCertificate, (req, res) => {
    if (req.url === '/moved') res.writeHead(302, { location: '/metadata' })
    res.end(req.url === '/metadata' ? metadataOf() : '')
  })
  before(async () => {
    write(folder, 'authority.pem', authority)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    server.close()
    remove(folder)
  })

  const startWith = (path: string) => {
    const { port } = server.address() as AddressInfo
    return start(folder, 'app.ts', {
      SAML_METADATA: `https://localhost:${port}${path}`,
      SAML_ENTITY_ID: parties.entityId,
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    })
  }

  it('reads it at the start', async () => {
    const app = await startWith('/metadata')
    const { headers } = await new Browser(app.origin).get('/saml/login')
    await app.close()
    expect(headers.location).to.match(/^https:\/\/idp\.example\.com\/sso\?/)
  })

  it('follows no redirect', async () => {
    expect(await rejectionOf(startWith('/moved')))
      .to.have.property('message')
      .that.contains('unexpected redirect')
  })
})

/** Starts the provider and the program, which know each other by their metadata. */
async function startBoth(folder: string, site: (port: number) => string): Promise<[LemonldapProvider, RunningProgram]> {
  const [port, idpPort] = [await freePort(), await freePort()]
  const { serviceProvider } = await import(pathToFileURL(join(folder, 'saml.ts')).href)
  const own = { metadata: metadataOf(), entityId: parties.entityId, site: site(port) }
  const provider = await startLemonldap(idpPort, [], [{ metadata: serviceProvider(own).metadata() }])
  const entityId = `${provider.origin}/saml/metadata`
  write(folder, 'idp.xml', await (await fetch(entityId)).text())
  const env = { PORT: String(port), AUTH_URL: site(port), SAML_ENTITY_ID: entityId }
  return [provider, await start(folder, 'app.ts', env)]
}

describe('the program of the guide to SAML, with LemonLDAP::NG', function () {
  this.timeout(90_000)
  const folder = unpack('guides/saml.md')
  let provider: LemonldapProvider
  let app: RunningProgram
  before(async function () {
    const missing = missingLemonldapSaml()
    if (missing !== undefined) skip(this, missing)
    const both = await startBoth(folder, (port) => `http://localhost:${port}`)
    provider = both[0]
    app = both[1]
  })
  after(async () => {
    await Promise.all([app?.close(), provider?.close()])
    remove(folder)
  })

  it('signs in, and finds the same user again', async () => {
    const jar: Jar = new Map()
    const ids = new Set<string>()
    for (const browser of [new Browser(app.origin), new Browser(app.origin)]) {
      const { headers } = await browser.get('/saml/login')
      const { action, fields } = await provider.signInForSaml(headers.location ?? '', jar)
      expect(action).to.equal(`${app.origin}/saml/acs`)
      const posted = await new Browser(app.origin).post('/saml/acs', fields)
      expect((await browser.get(posted.headers.location ?? '')).headers.location, app.log()).to.equal(`${app.origin}/`)
      const { user } = await browser.session()
      expect(user.name).to.equal(person.name)
      ids.add(user.id)
    }
    expect(ids.size).to.equal(1)
  })

  it('begins again if the user began there', async () => {
    const sp = encodeURIComponent(`${app.origin}/saml/metadata`)
    const url = `${provider.origin}/saml/singleSignOn?IDPInitiated=1&sp=${sp}`
    const { fields } = await provider.signInForSaml(url, new Map())
    const posted = await new Browser(app.origin).post('/saml/acs', fields)
    expect([posted.status, posted.headers.location]).to.deep.equal([303, '/saml/login'])
  })
})

describeInBrowser('the program of the guide to SAML, with a provider of another site', (open) => {
  const folder = unpack('guides/saml.md')
  let provider: LemonldapProvider
  let app: RunningProgram
  before(async function () {
    const missing = missingLemonldapSaml()
    if (missing !== undefined) skip(this, missing)
    // Pages of `localhost` and of 127.0.0.1 are pages of two sites.
    const both = await startBoth(folder, (port) => `http://127.0.0.1:${port}`)
    provider = both[0]
    app = both[1]
  })
  after(async () => {
    await Promise.all([app?.close(), provider?.close()])
    remove(folder)
  })

  it('signs in, although the form of the provider brings no cookies', async () => {
    const { page } = await open()
    const posts: Array<string | undefined> = []
    page.on('request', async (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/saml/acs'))
        posts.push((await request.allHeaders()).cookie)
    })
    await page.goto(`http://127.0.0.1:${app.port}/saml/login`)
    await page.locator('input[name=user]').fill(person.username)
    await page.locator('input[name=password]').fill(person.username)
    await page.locator('input[name=password]').press('Enter')
    await page.locator('input[name=SAMLResponse]').waitFor({ state: 'attached' })
    await page.locator('input[name=SAMLResponse]').evaluate((field: HTMLInputElement) => field.form?.submit())
    await page.waitForURL(`http://127.0.0.1:${app.port}/`)
    expect(await page.locator('body').textContent()).to.contain(person.name)
    expect(posts).to.deep.equal([undefined])
  })
})
