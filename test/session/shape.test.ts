/** The shape of the session of a user without an image: the same at both doors, and with both strategies. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { doors } from '../calls/doors.js'
import { credentials } from '../support/app.js'

for (const [name, open] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    it(`the session of a user without an image has id, name, email and image, at ${name}, with ${strategy} sessions`, async () => {
      const adapter = strategy === 'database' ? memoryAdapter() : undefined
      const door = await open(
        {
          providers: [credentials()],
          session: { strategy },
          ...(adapter && { adapter }),
        },
        async (calls) => calls.session(),
      )
      const visitor = door.browser()
      await visitor.signIn()
      const user = { name: 'ann', email: 'ann@example.com', image: null }
      for (const path of ['/api/auth/session', '/do']) {
        const session = (await visitor.ask(path)).body
        expect(Object.keys(session).sort(), path).to.deep.equal(['expires', 'user'])
        const { id, ...others } = session.user
        expect(others, path).to.deep.equal(user)
        expect(id, path).to.equal(adapter ? (await adapter.getUserByEmail('ann@example.com'))?.id : 'id-of-ann')
      }
      await door.close()
    })
  }
}
