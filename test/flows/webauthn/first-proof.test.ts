/**
 * The first proof of an address (`design.md`, decision 14), where a stranger has signed up with it and a passkey: it is
 * worth nothing afterwards. Both at once are in `first-proof-races`.
 */
import { expect } from 'chai'
import { target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { comes, email, expectOwned } from './proof.js'
import { emailOf, type StageOptions, usePasskeys } from './stage.js'

describe('the first proof of an address with a stranger’s passkey', () => {
  const stage = usePasskeys()

  it('ends the passkey, its account and its sessions', async () => {
    await stage.start()
    const mallory = await stage.member(email)
    const second = mallory.with({ key: new Authenticator() })
    await second.register()
    const elsewhere = mallory.with({ browser: stage.app.browser() })
    await elsewhere.signIn()
    const { id } = await stage.userOf(email)
    const victim = await comes(stage)
    expect((await stage.userOf(email)).id, 'the user stays').to.equal(id)
    expect(stage.events.at(-2)).to.have.nested.property('message.firstProof', true)
    expect(await elsewhere.browser.session()).to.equal(null)
    await expectOwned(stage, victim, mallory)
    await expectOwned(stage, victim, second)
  })

  it('ends what the stranger has begun: a challenge of the session before', async () => {
    await stage.start()
    const mallory = await stage.member(email)
    const made = mallory.key.create(await mallory.options('register'))
    const victim = await comes(stage)
    await stage.expectRefused(await mallory.send('register', made), 'InvalidCheck', mallory)
    await expectOwned(stage, victim, mallory)
  })

  it('leaves the owner who adds a passkey alone from then on', async () => {
    await stage.start()
    await stage.member(email)
    const victim = await comes(stage)
    await stage.expectSignedIn(await victim.register(), victim, email)
    await comes(stage)
    expect(await stage.passkeysOf(email)).to.have.length(1)
    await victim.signOut()
    await stage.expectSignedIn(await victim.signIn(), victim, email)
  })

  it('takes nothing from who proves their own address in their session', async () => {
    for (const strategy of ['database', 'jwt'] as const) {
      await stage.start({ strategy })
      const ann = await stage.member(email)
      const link = await stage.askForLink(ann.browser, email)
      expect(target(await ann.browser.get(link))).to.not.include('error')
      expect((await stage.userOf(email)).emailVerified).to.be.a('date')
      await ann.signOut()
      await stage.expectSignedIn(await ann.signIn(), ann, email)
      expect(await stage.passkeysOf(email)).to.have.length(1)
    }
  })

  it('takes everything from who has signed out before it, in the same browser too', async () => {
    await stage.start()
    const ann = await stage.member(email)
    const link = await stage.askForLink(ann.browser, email)
    await ann.signOut()
    await stage.openLink(ann.browser, link)
    expect(emailOf(await ann.browser.session())).to.equal(email)
    expect(await stage.passkeysOf(email)).to.deep.equal([])
  })

  const cannot: ReadonlyArray<[what: string, options: StageOptions]> = [
    ['with JWT sessions', { strategy: 'jwt' }],
    ['where the adapter cannot delete passkeys', { without: ['deleteAuthenticator'] }],
    ['where it cannot list accounts', { without: ['listAccountsByUserId'] }],
    ['where it cannot unlink them', { without: ['unlinkAccount'] }],
    ['where it cannot end sessions', { without: ['deleteSessionsByUserId'] }],
  ]
  for (const [what, options] of cannot) {
    it(`is refused ${what}: nobody gets into the other one’s account`, async () => {
      await stage.start(options)
      const mallory = await stage.member(email)
      const victim = stage.person()
      const response = await stage.enterByMail(victim.browser, email)
      await stage.expectRefused(response, 'AccountNotLinked', victim)
      expect((await stage.userOf(email)).emailVerified).to.equal(null)
      expect(emailOf(await mallory.browser.session())).to.equal(email)
      expect(await stage.passkeysOf(email)).to.have.length(1)
    })
  }

  it('ends nothing with `allowDangerousUnprovedAddressMerge`', async () => {
    await stage.start({ allowDangerousUnprovedAddressMerge: true })
    const mallory = await stage.member(email)
    await comes(stage)
    expect(emailOf(await mallory.browser.session())).to.equal(email)
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })
})
