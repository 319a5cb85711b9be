/**
 * Another process on the same database: `sql-worker.ts <url> <task> [argument]` prints the result as JSON.
 * {@link runWorker} starts it.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'

const file = fileURLToPath(import.meta.url)

type Task = 'migrate' | 'session' | 'users' | 'use-tokens'

/** Runs the task in a process of its own, with these variables added to the environment. */
export async function runWorker(url: string, task: Task, argument = '', env: Record<string, string> = {}) {
  const args = ['--import', import.meta.resolve('tsx'), file, url, task, argument]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  const result: unknown = JSON.parse(stdout)
  return result
}

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

const [, script, url = '', task = '', argument = ''] = process.argv
if (script === file) process.stdout.write(JSON.stringify(await perform(url, task, argument)))
