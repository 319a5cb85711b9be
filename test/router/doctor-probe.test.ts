/** The doctor's question to a running site: answered once, to who has the secret; to anybody else it is not there. */
import { expect } from 'chai'
import { signProbe } from '../../lib/crypto/probe.js'
import { secret } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { type DoorApp, doors } from '../support/doors.js'

for (const [door, start] of doors) {
  describe(`the header of the doctor (${door})`, () => {
    let app: DoorApp
    before(async () => {
      app = await start()
    })
    after(() => app.close())
    afterEach(() => restoreClock())

    const ask = (header?: string, path = '/auth/providers') =>
      app.browser().get(path, header === undefined ? {} : { 'x-server-auth-doctor': header })

    it('is answered to who has the secret, once', async () => {
      const { header, nonce } = signProbe(secret)
      expect((await ask(header)).body.doctor).to.include({ nonce, mount: '/auth', origin: app.origin })
      expect((await ask(header)).body).to.not.have.property('doctor')
    })

    it('is nothing to anybody else: byte for byte as without it', async () => {
      const plain = await ask()
      const { header } = signProbe('another-secret-of-more-than-32-characters')
      const own = signProbe(secret).header
      for (const forged of [
        header,
        `${own.slice(0, -1)}${own.endsWith('0') ? 1 : 0}`,
        own.replace(/\\.0\\./, '.9.'),
        own.slice(1),
        'x'.repeat(5000),
        '',
      ]) {
        const answer = await ask(forged)
        if (forged === own) continue
        expect(answer.text).to.equal(plain.text)
        expect(Object.keys(answer.headers).sort()).to.deep.equal(Object.keys(plain.headers).sort())
      }
    })

    it('is nothing on other routes, and after its minute', async () => {
      for (const path of ['/auth/session', '/auth/csrf', '/auth/signin']) {
        expect((await ask(signProbe(secret).header, path)).text).to.not.include('doctor')
      }
      const { header } = signProbe(secret)
      freezeClock()
      advanceClock(61)
      expect((await ask(header)).body).to.not.have.property('doctor')
    })
  })
}
