/** Stored organizations in an impersonated session: support accepts no invitation, and changes no organization. */
import { expect } from 'chai'
import { getEngine } from '../../lib/engine/index.js'
import { createInvitation, createOrganization } from '../../lib/features/members/entry.js'
import { storedMembership } from '../../lib/features/members/store.js'
import { base, everywhere, type Stage } from '../impersonation/stage.js'

/** Creates an organization of the administrator, and invites Ann. */
async function invite({ config, root, ann }: Stage) {
  const { config: resolved } = getEngine(config)
  const created = await createOrganization(resolved, { name: 'Acme', slug: undefined, owner: root.id, by: {} })
  if (!created.ok) return expect.fail(created.reason)
  const { id } = created.organization
  const change = { config: resolved, id, actor: root.id, by: {} }
  const sent = await createInvitation(change, { email: ann.email, role: 'owner' })
  if (!sent.ok) return expect.fail(sent.reason)
  const stored = resolved.organizations?.stored ?? expect.fail('organizations are not stored')
  return { token: sent.token, roleOf: async (userId: string) => (await storedMembership(stored, userId, id))?.role }
}

everywhere('an invitation in an impersonated session', (open) => {
  it('AZ-03 is neither shown nor accepted, and stays valid for the user', async () => {
    const stage = await open()
    const { root, ann } = stage
    const { token, roleOf } = await invite(stage)
    const support = await stage.impersonating()
    const path = `${base}/invitation`
    const asked = { headers: { accept: 'application/json' } }
    const answers = [
      await support.ask(`${path}?token=${token}`, asked),
      await support.ask(path, { ...asked, form: { csrfToken: true, token } }),
    ]
    for (const { status, body } of answers)
      expect({ status, error: body.error }).to.deep.equal({ status: 403, error: 'ImpersonatedSession' })
    expect([await roleOf(ann.id), await roleOf(root.id)]).to.deep.equal([undefined, 'owner'])
    const own = stage.browser()
    await own.signInAs(ann)
    expect((await own.ask(path, { form: { csrfToken: true, token } })).status).to.equal(303)
    expect(await roleOf(ann.id)).to.equal('owner')
  })
})
