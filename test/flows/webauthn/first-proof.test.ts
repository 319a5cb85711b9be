/**
 * The first proof of an address, where a stranger has signed up with it and a passkey: the
 * owner gets the address and a user of their own. Both at once are in `first-proof-races`.
 */
import { expect } from 'chai'
import { target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { comes, email, expectOwned } from './proof.js'
import { emailOf, type StageOptions, usePasskeys } from './stage.js'

describe('the first proof of an address with a stranger’s passkey', () => {
  const stage = usePasskeys()

  for (const options of [
    { strategy: 'database' },
    { strategy: 'jwt' },
    {
      without: [
        'transaction',
        'deleteAuthenticator',
        'listAccountsByUserId',
        'unlinkAccount',
        'deleteSessionsByUserId',
      ],
    },
  ] satisfies StageOptions[]) {
    it(`gives the owner a user of their own: ${JSON.stringify(options)}`, async () => {
      await stage.start(options)
      const mallory = await stage.member(email)
      const second = mallory.with({ key: new Authenticator() })
      await second.register()
      const { id } = await stage.userOf(email)
      const victim = await comes(stage)
      expect((await stage.userOf(email)).id).to.not.equal(id)
      const told = stage.events.find(({ name }) => name === 'updateUser')
      expect(told).to.have.nested.property('message.lostAddress', true)
      expect(told).to.have.nested.property('message.user.id', id)
      await expectOwned(stage, victim, mallory)
      await expectOwned(stage, victim, second)
      expect(await stage.stored.listAuthenticatorsByUserId?.(id), 'the stranger keeps theirs').to.have.length(2)
    })
  }

  it('leaves what the stranger has begun to the stranger’s own user', async () => {
    await stage.start()
    const mallory = await stage.member(email)
    const second = mallory.with({ key: new Authenticator() })
    const made = second.key.create(await second.options('register'))
    const victim = await comes(stage)
    await second.send('register', made)
    await expectOwned(stage, victim, second)
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

  it('gives another user to who has signed out before it, in the same browser too', async () => {
    await stage.start()
    const ann = await stage.member(email)
    const link = await stage.askForLink(ann.browser, email)
    await ann.signOut()
    await stage.openLink(ann.browser, link)
    expect(emailOf(await ann.browser.session())).to.equal(email)
    expect(await stage.passkeysOf(email)).to.deep.equal([])
  })

  it('keeps the passkey with `allowDangerousUnprovedAddressMerge`, and ends the sessions', async () => {
    await stage.start({ allowDangerousUnprovedAddressMerge: true })
    const mallory = await stage.member(email)
    await comes(stage)
    expect(await mallory.browser.session()).to.equal(null)
    expect(await stage.passkeysOf(email)).to.have.length(1)
  })
})
