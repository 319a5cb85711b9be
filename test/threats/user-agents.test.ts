/** A stranger writes the `User-Agent`: its text reaches no session, no list and no page, and is processed fast. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { deviceCodeOf, deviceFromCode } from '../../lib/http/device.js'
import { startApp } from '../support/app.js'
import { opened } from '../support/opened.js'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** Possible values. HTTP itself rejects some of them. */
const hostile: Readonly<Record<string, string>> = {
  'of 8 KB': `Mozilla/5.0 ${'a'.repeat(8000)} Firefox/145.0`,
  'with all names in it':
    'Mozilla/5.0 Firefox/ Chrome/ Edg/ OPR/ Safari/ Version/ Windows iPad iPhone Android CrOS Macintosh Linux',
  'of brackets': `Mozilla/5.0 ${'('.repeat(4000)}`,
  'of spaces': `Mozilla/5.0${' '.repeat(7000)}x`,
  'with line ends': `${browser}\r\nSet-Cookie: auth.session-token=evil\r\n\r\n<script>`,
  'with a line end of the stored form': `${browser}\nmallory\nw\n6.6.6.0/24`,
  'with markup': `Mozilla/5.0 (<img src=x onerror=alert(1)>) "'><script>alert(1)</script> Firefox/1`,
  'with names of prototypes': 'Mozilla/5.0 (__proto__; constructor; toString) hasOwnProperty/1.0',
  'written from right to left': 'Mozilla/5.0 (\u202Exunil\u202C; \u2066Linux\u2069) Firefox/145.0\u200F',
  'with zero bytes': 'Mozilla/5.0 (\u0000Linux\u0000) Firefox/145.0',
  'of half a character': 'Mozilla/5.0 (\uD800) Firefox/145.0',
  'with escape codes': 'Mozilla/5.0 (\u001b[31mLinux\u001b[0m) Firefox/145.0',
}

const names = /^(?:Chrome|Edge|Firefox|Opera|Safari|Samsung Internet|Android|ChromeOS|iOS|iPadOS|Linux|macOS|Windows)$/

describe('a user agent', () => {
  for (const [what, text] of Object.entries(hostile)) {
    it(`${what} becomes two characters of our own, or nothing`, () => {
      for (const headers of [
        { 'user-agent': text },
        { 'user-agent': browser, 'sec-ch-ua-platform': text },
        { 'user-agent': [text, text] },
      ]) {
        const code = deviceCodeOf(headers)
        if (code !== undefined) expect(code).to.match(/^[a-z-]{2}$/)
        const device = deviceFromCode(code)
        expect(code === undefined).to.equal(device === undefined)
        for (const name of Object.values(device ?? {})) expect(name).to.match(names)
      }
    })
  }

  it('takes the same time however long it is', () => {
    const timeOf = (text: string) => {
      const begin = process.hrtime.bigint()
      for (let round = 0; round < 200; round += 1) deviceCodeOf({ 'user-agent': text })
      return Number(process.hrtime.bigint() - begin) / 1e6
    }
    // The parsers that take seconds for such texts are those with `.*` twice.
    for (const text of [
      'Version/'.repeat(100_000),
      `Mozilla/5.0 ${'Version/ '.repeat(100_000)}`,
      ' '.repeat(1_000_000),
    ]) {
      timeOf(text)
      expect(timeOf(text), `${text.slice(0, 20)} … ms for 200`).to.be.below(200)
    }
  })

  describe('of a user who signs in', () => {
    const adapter = memoryAdapter()
    const app = opened(() =>
      startApp(
        { adapter },
        {
          after: (express, config) => {
            express.get('/sessions', (req, res, next) => {
              expressFunctions(config)
                .account.get(req)
                .then((account) => res.json(account?.sessions), next)
            })
          },
        },
      ),
    )

    for (const [what, text] of Object.entries(hostile)) {
      it(`${what} is neither stored nor shown`, async () => {
        const visitor = app.browser()
        // The part that HTTP accepts.
        const sent = text.replace(/[^\x20-\x7e\x80-\xff]/g, '')
        await visitor.submit(
          '/auth/callback/credentials',
          { username: 'ann', password: 'right' },
          { 'user-agent': sent },
        )
        const { body } = await visitor.get('/sessions')
        const session = body.find(({ current }: { current: boolean }) => current)
        expect(session, 'signed in all the same').to.include({ provider: 'credentials' })
        for (const name of [session.device?.browser, session.device?.system]) {
          if (name !== undefined) expect(name).to.match(names)
        }
        const user = await adapter.getUserByEmail('ann@example.com')
        for (const { sessionToken } of await adapter.listSessionsByUserId(user?.id ?? '')) {
          const [, facts = ''] = /\.f([\w-]+)$/.exec(sessionToken) ?? []
          expect(Buffer.from(facts, 'base64url').toString()).to.match(
            /^[0-9a-z]{6}\npwd\n\n\ncredentials\n(?:[a-z-]{2})?\n\n\n\np\|[0-9a-z]{6}\|credentials\|pwd$/,
          )
        }
      })
    }
  })
})
