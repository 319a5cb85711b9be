/** "Where you are signed in" of the example, with rows and with tokens. Needs `npm run build`. */
import { expect } from 'chai'
import { openBrowser, type RunningExample, startExample } from './start-example.js'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

for (const strategy of ['database', 'jwt'] as const) {
  describe(`the devices of examples/express-app, strategy ${strategy}`, () => {
    let example: RunningExample
    before(async () => {
      example = await startExample({ strategy })
    })
    after(() => example?.close())

    function browser(userAgent: string) {
      const opened = openBrowser(example)
      opened.agent.set('User-Agent', userAgent)
      return opened
    }

    it('are shown by name, by what they signed in with and from where, and are signed out one by one', async () => {
      const [one, two] = [browser(firefox), browser(chrome)]
      await one.signInByMail('devices@example.com')
      await two.signInByMail('devices@example.com')
      const page = await one.account()
      expect(page).to.match(/<strong>Firefox on Linux<\/strong> <span>This browser<\/span>/)
      expect(page).to.match(/<strong>Chrome on Windows<\/strong> <span>Another browser<\/span>/)
      expect(page.match(/Signed in <time [^>]+>[^<]+<\/time> with Email/g)).to.have.length(2)
      expect(page.match(/From the network 127\.0\.0\.0\/24/g)).to.have.length(2)
      expect(page).to.not.contain('Gecko')
      const [, id] = /name="id" value="([^"]+)"/.exec(page) ?? []
      expect((await one.post('/account/sessions/end', { id })).headers.location).to.match(/session-ended$/)
      await two.agent.get('/api/me').expect(401)
      expect(await one.account()).to.not.contain('Chrome on Windows')
      await one.post('/auth/signout')
      await one.agent.get('/api/me').expect(401)
    })

    it('show a session of the application’s own without a provider', async () => {
      const [one, two] = [browser(firefox), browser('curl/8.5.0')]
      await one.signIn('bob', '/')
      const { text } = await one.post('/hand-over')
      const [path = ''] = /\/hand-over\/[\w-]+(?=[^\w-])/.exec(text.slice(text.indexOf('<main>'))) ?? []
      await two.post('/hand-over/use', { code: path.split('/').at(-1) })
      await two.agent.get('/api/me').expect(200)
      expect(await one.account()).to.match(
        /<strong>Unknown device<\/strong> <span>Another browser<\/span> <span>Signed in <time [^>]+>[^<]+<\/time> ?<\/span>/,
      )
    })

    it('have keys for scripts, each of which is shown once and can be revoked', async () => {
      const [one, script] = [browser(firefox), browser('curl/8.5.0')]
      await one.signInByMail('keys@example.com')
      const { text } = await one.post('/account/keys', { name: '<b>deploy</b>' })
      const [key = ''] = /example_[0-9A-Za-z]{61}/.exec(text) ?? []
      const profile = () => script.agent.get('/api/profile').set('Authorization', `Bearer ${key}`)
      expect((await profile().expect(200)).body.email).to.equal('keys@example.com')
      await script.agent.get('/api/me').set('Authorization', `Bearer ${key}`).expect(401)
      await one.agent.get('/api/profile').expect(200)
      const page = (await one.agent.get('/account/keys').expect(200)).text
      expect(page).to.include('&lt;b&gt;deploy').and.not.include(key)
      const [, id] = /name="id" value="([^"]+)"/.exec(page) ?? []
      await one.post('/account/keys/revoke', { id })
      await profile().expect(401)
    })

    it('know a new name at once', async () => {
      const one = browser(firefox)
      await one.signIn('alice', '/')
      await one.post('/account/name', { name: 'Alice Renamed' })
      const { body } = await one.agent.get('/api/me').expect(200)
      expect(body).to.nested.include({ 'user.name': 'Alice Renamed', emailProved: true })
      expect(body.user.id).to.be.a('string')
    })
  })
}
