/** An `AUTH_URL` with another scheme than the requests: one warning, at each door. */
import { expect } from 'chai'
import { type Door, openExpress, openShim } from '../support/doors.js'
import { withEnv } from './stage.js'

for (const [name, open] of [
  ['the Router', () => openExpress({})],
  ['the handlers', () => openShim({})],
] as const) {
  describe(`the scheme of AUTH_URL, at ${name}`, () => {
    async function codes(url: string, headers: Record<string, string>): Promise<string[]> {
      const found: string[] = []
      await withEnv({ AUTH_URL: url }, async () => {
        const door: Door = await open()
        const visitor = door.browser(headers)
        for (let time = 0; time < 2; time += 1) await visitor.ask('/api/auth/session')
        await door.close()
        found.push(...door.log.warnings.map(({ code }) => code))
      })
      return found.filter((code) => code.startsWith('auth-url'))
    }

    for (const [url, proto] of [
      ['http://app.example.com', 'https'],
      ['http://app.example.com', 'https, http'],
      ['https://app.example.com', 'http'],
    ] as const) {
      it(`is warned of once where it is ${url} and a proxy says ${proto}`, async () => {
        expect(await codes(url, { 'x-forwarded-proto': proto })).to.deep.equal(['auth-url-scheme'])
      })
    }

    it('is right if both are equal, and if the scheme is unknown', async () => {
      expect(await codes('https://app.example.com', { 'x-forwarded-proto': 'https' })).to.deep.equal([])
      expect(await codes('http://app.example.com', { 'x-forwarded-proto': 'http' })).to.deep.equal([])
      // TLS ended before, by something that does not say so.
      expect(await codes('https://app.example.com', {})).to.deep.equal([])
    })
  })
}
