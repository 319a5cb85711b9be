/** A process that gets one message. It ends the sessions of a user as another process of the application, and answers `done`. */
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { defineAuth } from '../../lib/index.js'

/** A message to this process. */
export interface EndingOrder {
  readonly url: string
  readonly secret: string
  readonly email: string
}

process.once('message', async ({ url, secret, email }: EndingOrder) => {
  const db = connect(url)
  const auth = defineAuth({ adapter: sqlAdapter(db), secret, providers: [], session: { strategy: 'database' } })
  const { users } = await auth.users.list({ search: email })
  for (const { user } of users) await auth.sessions.endAll(user.id)
  await db.destroy()
  process.send?.('done', () => process.disconnect())
})
