/** Invitations: links that are opened, accepted, replaced and revoked, and for whom. */
import { expect } from 'chai'
import { Totp } from '../../lib/features/factors/index-kinds.js'
import { accept, admit, atEach, base, createBy } from './stage.js'

atEach('invitations', (open) => {
  it('make the invited user a member with the role, once', async () => {
    const stage = await open()
    const ann = await stage.person('ann')
    const bob = await stage.person('bob')
    const id = await createBy(ann)
    const sent = await ann.call('invite', { organization: id, email: 'Bob@Example.com', role: 'admin' })
    expect(sent).to.include({ ok: true })
    const token = await stage.tokenOf('bob@example.com')
    expect(stage.mails[0]).to.include({ purpose: 'invitation' })
    expect(stage.mails[0]?.mail.text).to.include('Acme').and.include(`${base}/invitation?token=`)
    const page = await bob.browser.get(`${base}/invitation?token=${token}`)
    expect([page.status, page.text]).to.satisfy(
      ([status, html]: [number, string]) => status === 200 && html.includes('bob@example.com'),
    )
    expect(await bob.guard(id)).to.equal(404)
    const accepted = await accept(bob.browser, token)
    expect(accepted.status).to.equal(303)
    expect(await bob.call('get', id)).to.include({ role: 'admin' })
    expect((await bob.browser.session(base)).organization).to.deep.equal({ id })
    const eve = await stage.person('eve')
    expect((await accept(eve.browser, token)).headers.location).to.include('error=Verification')
    expect(await eve.guard(id)).to.equal(404)
    expect(await ann.call('invitations', id)).to.deep.equal({ ok: true, invitations: [] })
  })

  it('create no user before they are accepted, and sign a new user in', async () => {
    const stage = await open()
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'new@example.com', role: 'member' })
    const token = await stage.tokenOf('new@example.com')
    const visitor = stage.stranger()
    for (let time = 0; time < 3; time += 1)
      expect((await visitor.get(`${base}/invitation?token=${token}`)).status).to.equal(200)
    expect(await stage.config.adapter?.getUserByEmail?.('new@example.com')).to.equal(null)
    const accepted = await accept(visitor, token)
    expect(accepted.status).to.equal(303)
    const { user } = await visitor.session(base)
    expect(user.email).to.equal('new@example.com')
    expect((await visitor.get(`/org/${id}/any`)).status).to.equal(200)
    expect((await accept(stage.stranger(), token)).headers.location).to.include('error=Verification')
  })

  it('are returned to after the second factor that a new user needs', async () => {
    const require = ({ user }: { user: { email?: string | null } }) => (user.email === 'new@example.com' ? 2 : 1)
    const stage = await open({ factors: { methods: [Totp()], require } })
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'new@example.com', role: 'member' })
    const token = await stage.tokenOf('new@example.com')
    const { headers } = await accept(stage.stranger(), token)
    expect(headers.location).to.include('/two-factor?')
    const { searchParams } = new URL(headers.location ?? '', 'http://localhost')
    expect(searchParams.get('callbackUrl')).to.include(`${base}/invitation?token=${token}`)
    expect(await ann.call('invitations', id)).to.have.nested.property('invitations.length', 1)
  })

  it('lead a new user to `pages.newUser`, and not back to the used link', async () => {
    const stage = await open({ pages: { newUser: '/welcome' } })
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'new@example.com', role: 'member' })
    const { headers } = await accept(stage.stranger(), await stage.tokenOf('new@example.com'))
    expect(headers.location).to.include('/welcome?').and.not.include('invitation')
  })

  it('sign in no user who has an account', async () => {
    const stage = await open()
    const [ann] = [await stage.person('ann'), await stage.person('bob')]
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'bob@example.com', role: 'member' })
    const visitor = stage.stranger()
    const asked = await accept(visitor, await stage.tokenOf('bob@example.com'))
    expect(decodeURIComponent(asked.headers.location ?? ''))
      .to.include('/signin?')
      .and.include('invitation')
    expect(await visitor.session(base)).to.equal(null)
  })

  it('are for their address: another user, and one who only claims it, are not asked', async () => {
    const stage = await open()
    const [ann, eve] = [await stage.person('ann'), await stage.person('eve')]
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'bob@example.com', role: 'member' })
    const token = await stage.tokenOf('bob@example.com')
    const claimed = await stage.person('bob', false)
    for (const person of [eve, claimed]) {
      const page = await person.browser.get(`${base}/invitation?token=${token}`)
      expect(page.status).to.equal(403)
      expect(page.text).to.include('signout').and.not.include('name="token"')
      expect((await accept(person.browser, token)).status).to.equal(403)
      expect(await person.guard(id)).to.equal(404)
    }
  })

  it('end with a newer one, a revocation, and what the sender may do', async () => {
    const stage = await open()
    const [ann, adam, bob] = [await stage.person('ann'), await stage.person('adam'), await stage.person('bob')]
    const id = await createBy(ann)
    await admit(ann, id, adam, 'admin')
    const invite = { organization: id, email: 'bob@example.com', role: 'admin' }
    const dead = async (token: string) => {
      const outcome = await accept(bob.browser, token)
      expect(outcome.headers.location).to.include('error=Verification')
      expect(await bob.guard(id)).to.equal(404)
      return outcome.headers.location
    }
    const tokenAfter = async (by = ann) => {
      const { length } = stage.mails
      expect(await by.call('invite', invite)).to.include({ ok: true })
      while (stage.mails.length === length) await new Promise((resolve) => setTimeout(resolve, 5))
      return stage.mails.at(-1)?.token ?? ''
    }
    const first = await tokenAfter()
    const second = await tokenAfter()
    const texts = [await dead(first)]
    const { invitations } = (await ann.call('invitations', id)) as { invitations: readonly { id: string }[] }
    expect(invitations).to.have.length(1)
    const revoked = await ann.call('revokeInvitation', { organization: id, id: invitations[0]?.id })
    expect(revoked).to.deep.equal({ ok: true })
    texts.push(await dead(second), await dead(`${second.slice(0, -4)}AAAA`), await dead('x'))
    const byAdam = await tokenAfter(adam)
    await ann.call('setRole', { organization: id, userId: adam.id, role: 'member' })
    texts.push(await dead(byAdam))
    await ann.call('setRole', { organization: id, userId: adam.id, role: 'admin' })
    await ann.call('removeMember', { organization: id, userId: adam.id })
    texts.push(await dead(byAdam))
    expect(new Set(texts.map((text) => text)).size).to.equal(1)
  })

  it('make one member of two hundred acceptances at once', async () => {
    const stage = await open()
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'bob@example.com', role: 'member' })
    const token = await stage.tokenOf('bob@example.com')
    const csrfToken = await bob.browser.csrf(base)
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => bob.browser.post(`${base}/invitation`, { token, csrfToken })),
    )
    expect(answers.filter(({ status }) => status >= 500)).to.deep.equal([])
    const { members } = (await ann.call('members', id, {})) as { members: readonly object[] }
    expect(members).to.have.length(2)
    expect(stage.changes.filter(({ change }) => change === 'memberAdded')).to.have.length(1)
  })
})
