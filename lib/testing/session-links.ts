/** Cases of the links between sessions and sessions at a provider, for providers that end sessions here. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type ContractGroup, contractCase } from './contract-case.js'
import { newSession, storedUser } from './records.js'

const newSessionName = () => randomBytes(32).toString('base64url')

export const sessionLinks: ContractGroup = {
  name: 'session links',
  cases: [
    contractCase(
      'are found by the user, and by the session at the provider',
      ['createUser', 'createSession', 'linkSession', 'listSessionLinks'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const [subject, first] = [newSessionName(), newSessionName()]
        const links = [first, newSessionName(), null].map((providerSession) => ({ ...newSession(id), providerSession }))
        for (const { providerSession, ...session } of links) {
          await adapter.createSession(session)
          await adapter.linkSession({ sessionToken: session.sessionToken, subject, providerSession })
        }
        const stored = links.map(({ sessionToken, providerSession }) => ({ sessionToken, subject, providerSession }))
        const found = await adapter.listSessionLinks({ subject })
        const inOrder = stored.map(({ sessionToken }) => found.find((link) => link.sessionToken === sessionToken))
        assert.equal(found.length, 3, 'a session of the user is missing, or there is one too many')
        assert.deepEqual(
          inOrder.map((link) => ({ ...link, providerSession: link?.providerSession ?? null })),
          stored,
          'a link is not what was stored',
        )
        const [one, ...others] = await adapter.listSessionLinks({ providerSession: first })
        assert.equal(one?.sessionToken, links[0]?.sessionToken, 'a session is not found by its name at the provider')
        assert.equal(others.length, 0, 'another session at the provider would be ended as well')
      },
    ),
    contractCase('are none for an unknown name', ['listSessionLinks'], async (adapter) => {
      assert.deepEqual(await adapter.listSessionLinks({ subject: newSessionName() }), [])
      assert.deepEqual(await adapter.listSessionLinks({ providerSession: newSessionName() }), [])
    }),
    contractCase(
      'stay while their session lives',
      ['createUser', 'createSession', 'updateSession', 'linkSession', 'listSessionLinks', 'prune'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const [session, subject] = [newSession(id), newSessionName()]
        await adapter.createSession(session)
        await adapter.linkSession({ sessionToken: session.sessionToken, subject, providerSession: null })
        await adapter.updateSession({ sessionToken: session.sessionToken, expires: new Date(Date.now() + 1e10) })
        await adapter.prune()
        assert.equal((await adapter.listSessionLinks({ subject })).length, 1, 'the link of a living session is gone')
      },
    ),
  ],
}
