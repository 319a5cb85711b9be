/** A process that gets one message. It ends the sessions of a user as another process of the application, and answers `done`. */
import { connect, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { defineAuth } from '../../lib/index.js'

/** A message to this process. */
export interface EndingOrder {
  readonly url: string
  readonly secret: string
  readonly email: string
  readonly strategy: 'jwt' | 'database'
}

process.once('message', async ({ url, secret, email, strategy }: EndingOrder) => {
  const db = connect(url)
  const auth = defineAuth({
    adapter: sqlAdapter(db),
    secret,
    providers: [],
    session: { strategy, revocation: { store: sqlStore(db) } },
  })
  const { users } = await auth.users.list({ search: email })
  for (const { user } of users) await auth.sessions.endAll(user.id)
  await db.destroy()
  process.send?.('done', () => process.disconnect())
})
