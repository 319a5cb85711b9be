/** `sql-worker-main <url> <task> [argument]` prints the result as JSON. `sql-worker.ts` starts it. */
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'

async function perform(url: string, task: string, argument: string): Promise<unknown> {
  const db = connect(url)
  const adapter = sqlAdapter(db)
  try {
    switch (task) {
      case 'migrate':
        return (await migrate(db)).applied
      case 'session':
        return await adapter.getSessionAndUser(argument)
      case 'users': {
        const ids = Array.from({ length: 20 }, (_, index) => `${argument}-${index}`)
        const users = ids.map((id) => ({ id, email: `${id}@example.com`, emailVerified: null }))
        return (await Promise.all(users.map((user) => adapter.createUser(user)))).length
      }
      default: {
        const uses = Array.from({ length: 50 }, () =>
          adapter.useVerificationToken({ identifier: argument, token: 'token' }),
        )
        return (await Promise.all(uses)).filter(Boolean).length
      }
    }
  } finally {
    await db.destroy()
  }
}

const [, , url = '', task = '', argument = ''] = process.argv
process.stdout.write(JSON.stringify(await perform(url, task, argument)))
