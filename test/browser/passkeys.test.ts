/** The whole life of passkeys in a real browser against the real server, with both strategies and on real databases. */
import { expect } from 'chai'
import { present, strategies, usePasskeys } from '../flows/webauthn/stage.js'
import { type OpenAdapter, openAdapter } from '../sign-in/linking-databases.js'
import { describeInBrowser } from '../support/browser.js'
import { inTurn } from '../support/extent.js'
import { type KeptPasskey, plugIn } from '../support/passkey-device.js'
import {
  enter,
  expectHello,
  expectNoProblems,
  pages,
  press,
  signIn,
  signInPath,
  signOut,
  signUp,
} from './passkey-site.js'

const email = 'ann@example.com'

for (const [turn, kind] of (['sqlite', 'postgres'] as const).entries()) {
  describeInBrowser(`passkeys on ${kind}`, (open) => {
    const stage = usePasskeys()
    const opened: OpenAdapter[] = []
    beforeEach(async function () {
      opened.push(await openAdapter(this, kind))
    })
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((each) => each.close()))
    })

    for (const strategy of inTurn(strategies, turn)) {
      it(`sign up, out, in by button and by suggestion; a second one on the same account (${strategy})`, async () => {
        await stage.start({ adapter: present(opened[0]).adapter, strategy }, pages)
        const ann = await enter(open, stage)
        const { page, device, url } = ann

        await signUp(ann, email)
        expect(await stage.userOf(email)).to.include({ email, emailVerified: null })
        const [made, ...others] = await device.passkeys()
        expect(others).to.deep.equal([])
        expect(made).to.include({ isResidentCredential: true, rpId: 'localhost' })
        await signOut(ann)

        await signIn(ann, email)
        await signOut(ann)

        await page.goto(url(signInPath('/page/3', 'picked')))
        await expectHello(ann, email, '/page/3')
        expect((await stage.passkeysOf(email)).map(({ counter }) => counter)).to.deep.equal([
          (await device.passkeys())[0]?.signCount,
        ])

        // The device that is there has one: only another device can make a second.
        await page.goto(url('/own'))
        await press(page, 'Add a passkey')
        await page.getByRole('alert').getByText('This device already has a passkey for this account.').waitFor()
        const kept = await device.passkeys()
        await device.unplug()
        const key = await plugIn(page, { transport: 'usb' })
        await press(page, 'Add a passkey')
        await expectHello(ann, email, '/page/2')
        expect((await stage.passkeysOf(email)).map(({ transports }) => transports).sort()).to.deep.equal([
          'internal',
          'usb',
        ])
        const handles = [...kept, ...(await key.passkeys())].map(({ userHandle }: KeptPasskey) => userHandle)
        expect(handles).to.have.length(2)
        expect(new Set(handles).size, 'one user handle').to.equal(1)

        await signOut(ann)
        await signIn(ann, email)
        await signOut(ann)
        await key.unplug()
        const again = await plugIn(page)
        for (const each of kept) await again.keep(each)
        await signIn(ann, email)

        stage.expectNoFault()
        expectNoProblems(ann)
        expect(stage.events.map(({ name }) => name)).to.deep.equal([
          'createUser',
          'linkAccount',
          ...Array.from({ length: 3 }, () => 'signIn'),
          'linkAccount',
          ...Array.from({ length: 3 }, () => 'signIn'),
        ])
      })
    }
  })
}
