/** Mails that strangers request: they neither fill a mailbox under other spellings nor keep its owner from mails. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import type { Browser } from '../support/http-browser.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

for (const [name, open] of Object.entries(doors)) {
  describe(`requested mails, ${name}`, () => {
    let stage: LimitStage
    let sent: { to: string; url: string }[] = []
    afterEach(() => stage.close())

    const start = async (own: Partial<EmailConfig> = {}) => {
      sent = []
      const sendVerificationRequest: EmailConfig['sendVerificationRequest'] = ({ identifier, url }) =>
        void sent.push({ to: identifier, url })
      const email = { id: 'email', name: 'Email', type: 'email' as const, sendVerificationRequest, ...own }
      stage = await openLimitStage(open, { adapter: memoryAdapter(), providers: [email] })
    }
    const headers = () => ({
      origin: stage.door.origin,
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
    })
    const ask = async (who: Browser, email: string) =>
      (await who.ask(`${base}/signin/email`, { form: { email }, headers: headers() })).status
    const signIn = async (who: Browser, email: string) => {
      const before = sent.length
      expect(await ask(who, email)).to.equal(200)
      for (let tries = 0; sent.length === before && tries < 200; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
      const { token = '', email: address = '' } = Object.fromEntries(new URL(sent[before]?.url ?? '').searchParams)
      const answer = await who.ask(`${base}/callback/email`, { form: { token, email: address }, headers: headers() })
      expect(answer.status).to.equal(200)
    }
    const flood = async (email: string) => {
      for (let at = 0; at < 5; at += 1) await ask(stage.stranger(), email)
      expect(await ask(stage.stranger(), email)).to.equal(429)
    }

    it('EM-17 CD-04 reach a browser that signed in with the address before, whatever strangers request', async () => {
      await start()
      const ann = stage.stranger()
      await signIn(ann, 'ann@example.com')
      await flood('ann@example.com')
      await signIn(ann, 'Ann@example.com')
      await flood('bob@example.com')
      expect(await ask(ann, 'bob@example.com')).to.equal(429)
      for (let at = 0; at < 5; at += 1) await ask(ann, 'ann@example.com')
      expect(await ask(ann, 'ann@example.com')).to.equal(429)
    })

    // With the shim the client is not known.
    const withClients = name === 'express' ? it : undefined
    withClients?.(
      'EM-17 are counted for the client all the same: nobody has any number of them sent to a mailbox of theirs',
      async () => {
        await start({ limit: { perClient: 3 } })
        const mallory = stage.stranger('192.0.2.1')
        await signIn(mallory, 'mallory@example.com')
        const statuses = []
        for (let at = 0; at < 3; at += 1) statuses.push(await ask(mallory, 'mallory@example.com'))
        expect(statuses).to.deep.equal([200, 200, 429])
      },
    )

    it('EM-17 count for one mailbox however its address is spelt', async () => {
      await start({ normalizeIdentifier: (typed) => typed })
      const spellings = [
        'ann@example.com',
        'ANN@example.com',
        'ann+1@example.com',
        'ann+2@example.com',
        'a.nn@example.com',
      ]
      for (const spelling of spellings) expect(await ask(stage.stranger(), spelling)).to.equal(200)
      expect(await ask(stage.stranger(), 'Ann+3@Example.com')).to.equal(429)
    })
  })
}
