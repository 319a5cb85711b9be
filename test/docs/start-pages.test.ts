/** The first pages: what they show is started as they say, and used as they say. Needs `npm run build`. */
import { expect } from 'chai'
import request from 'supertest'
import { compile, filesIn, type RunningProgram, remove, start, unpack, write } from './guide-code.js'

const applications = [
  { page: 'start/express.md', entry: 'app.ts', mount: '/auth', guarded: '/profile' },
  { page: 'start/hono.md', entry: 'server.ts', mount: '/api/auth', guarded: '/profile' },
]

for (const { page, entry, mount, guarded } of applications) {
  describe(`the application of ${page}`, function () {
    this.timeout(60_000)
    this.slow(10_000)
    const folder = unpack(page)
    let app: RunningProgram
    before(async () => {
      app = await start(folder, entry)
    })
    after(async () => {
      await app?.close()
      remove(folder)
    })

    it('compiles, strictly', () => compile(folder))

    it('asks who wants the guarded page, and shows it then', async () => {
      const browser = request.agent(app.origin)
      expect((await browser.get('/').expect(200)).text).to.contain('Sign in')
      const asked = await browser.get(guarded).set('Accept', 'text/html').expect(302)
      const query = new URL(asked.headers.location ?? '', app.origin).searchParams
      expect(new URL(query.get('callbackUrl') ?? '', app.origin).pathname).to.equal(guarded)
      const { csrfToken } = (await browser.get(`${mount}/csrf`).expect(200)).body
      const form = { csrfToken, email: 'ada@example.com', password: 'demo', callbackUrl: guarded }
      await browser
        .post(`${mount}/callback/credentials`)
        .type('form')
        .send({ ...form, password: 'no' })
      await browser.get(guarded).set('Accept', 'text/html').expect(302)
      const done = await browser.post(`${mount}/callback/credentials`).type('form').send(form).expect(303)
      expect(new URL(done.headers.location ?? '', app.origin).pathname).to.equal(guarded)
      expect((await browser.get(guarded).expect(200)).body.user.email).to.equal('ada@example.com')

      const home = (await browser.get('/').expect(200)).text
      const [, fresh = ''] = /name="csrfToken" value="([^"]+)"/.exec(home) ?? []
      await browser.post('/leave').type('form').send({}).expect(403)
      await browser.get(guarded).expect(200)
      await browser.post('/leave').type('form').send({ csrfToken: fresh }).expect(303)
      expect((await browser.get('/').expect(200)).text).to.contain('Sign in')
    })
  })
}

describe('the application of README.md', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('../README.md')
  let app: RunningProgram
  before(async () => {
    // Its port may be taken here.
    const code = filesIn('../README.md').get('app.js') ?? ''
    const url = "'http://localhost:' + process.env.PORT"
    write(folder, 'app.js', code.replace("'http://localhost:3000'", url).replace('3000', 'process.env.PORT'))
    app = await start(folder, 'app.js')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  it('signs in, shows the session and guards the profile', async () => {
    const browser = request.agent(app.origin)
    await browser.get('/').expect(200, 'null')
    await browser.get('/profile').set('Accept', 'application/json').expect(401)
    const { csrfToken } = (await browser.get('/auth/csrf').expect(200)).body
    const form = { csrfToken, email: 'ada@example.com', password: 'demo' }
    await browser.post('/auth/callback/credentials').type('form').send(form).expect(303)
    expect((await browser.get('/').expect(200)).body.user.email).to.equal('ada@example.com')
    await browser.get('/profile').expect(200, { hello: 'ada@example.com' })
  })
})
