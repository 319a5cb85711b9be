/**
 * The pages behind email links, through both doors: what they show about the signed-in user, and what their button
 * does.
 */

import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'

import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { secret } from '../support/app.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { formIn } from '../support/mail-server.js'

const doors = { Express: openExpress, 'the shim': openShim }

for (const [name, open] of Object.entries(doors)) {
  describe(`pages behind email links, through ${name}`, () => {
    let adapter: MemoryAdapter
    let door: Door
    let config: FullStackAuthConfig
    let mails: string[]
    let waiting: Array<() => void>

    beforeEach(async () => {
      adapter = memoryAdapter()
      mails = []
      waiting = []
      config = {
        secret,
        basePath: '/api/auth',
        adapter,
        providers: [
          {
            id: 'email',
            name: 'E-mail',
            type: 'email',
            limit: false,
            sendVerificationRequest({ url }) {
              mails.push(url)
              waiting.shift()?.()
            },
          },
        ],
      }
      door = await open(config)
    })
    afterEach(() => door.close())

    const nextMail = async (): Promise<string> => {
      if (mails.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return mails.shift() ?? ''
    }
    const goTo = (visitor: Browser, url: string, headers: Record<string, string> = {}): Promise<Answer> => {
      const { pathname, search } = new URL(url)
      return visitor.ask(pathname + search, { headers })
    }
    const linkFor = async (visitor: Browser, email: string): Promise<string> => {
      await visitor.ask('/api/auth/signin/email', { form: { csrfToken: true, email } })
      return nextMail()
    }
    const signIn = async (email: string): Promise<Browser> => {
      const visitor = door.browser()
      await goTo(visitor, await linkFor(visitor, email))
      return visitor
    }
    const emailOf = async (visitor: Browser): Promise<unknown> =>
      (await visitor.ask('/api/auth/session')).body?.user?.email
    const press = ({ text: body }: Answer, visitor: Browser): Promise<Answer> => {
      const { action, fields } = formIn(body, '/callback/')
      return visitor.ask(new URL(action).pathname, { form: fields })
    }
    /** Changes the address as a route of the application does, on any server. */
    const changeTo = async (visitor: Browser, email: string): Promise<string> => {
      const cookie = [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      const request = { headers: { host: new URL(door.origin).host, cookie }, protocol: 'http' }
      expect(
        await expressFunctions(config).account.changeEmail(request, { email, callbackUrl: '/done' }),
      ).to.deep.equal({ ok: true })
      return nextMail()
    }

    it('say what a sign-in does to who is signed in, by name', async () => {
      const bob = await signIn('bob@example.com')
      await signIn('ann@example.com')
      const known = await goTo(bob, await linkFor(door.browser(), 'ann@example.com'))
      expect(known.text).to.include(
        'signed in as <strong><bdi>bob@example.com</bdi></strong> here. Going on signs you in',
      )
      const unknown = await goTo(bob, await linkFor(door.browser(), 'new@example.com'))
      expect(unknown.text).to.include(
        'signed in as <strong><bdi>bob@example.com</bdi></strong> here. Going on makes a new',
      )
      const own = await goTo(bob, await linkFor(door.browser(), 'bob@example.com'))
      expect(own.text).to.not.include('bdi>bob@example.com</bdi></strong> here')

      expect((await press(unknown, bob)).status).to.equal(303)
      expect(await emailOf(bob)).to.equal('new@example.com')
    })

    it('change an address in a session of its user, and nowhere else', async () => {
      const ann = await signIn('ann@old.example')
      const bob = await signIn('bob@example.com')
      const link = await changeTo(ann, 'ann@new.example')
      for (const visitor of [bob, door.browser()]) expect((await goTo(visitor, link)).status).to.equal(403)
      const { pathname, search } = new URL(link)
      const head = await ann.ask(pathname + search, { method: 'HEAD' })
      expect([head.status, head.text]).to.deep.equal([200, ''])
      const page = await goTo(ann, link, { 'sec-purpose': 'prefetch' })
      expect(page.status).to.equal(200)
      expect(page.text).to.include('<bdi>ann@new.example</bdi>').and.include('<bdi>ann@old.example</bdi>')
      expect(await emailOf(ann)).to.equal('ann@old.example')

      const { action, fields } = formIn(page.text, '/callback/')
      const { csrfToken, ...bare } = fields
      const refused = await ann.ask(new URL(action).pathname, { form: bare })
      expect(refused.headers.location).to.include('error=MissingCSRF')
      expect(csrfToken).to.have.length(64)
      expect(await emailOf(ann)).to.equal('ann@old.example')

      const done = await press(page, ann)
      expect([done.status, done.headers.location]).to.deep.equal([303, `${door.origin}/done`])
      expect(await emailOf(ann)).to.equal('ann@new.example')
      expect((await press(page, ann)).headers.location).to.include('error=Verification')
      expect(await adapter.getUserByEmail('ann@old.example')).to.equal(null)
    })
  })
}
