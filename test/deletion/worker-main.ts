/** A process that deletes a user, and kills itself in front of one of the calls of the database. */
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { defineAuth } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { configOf } from './stage.js'

export interface KillOrder {
  readonly url: string
  readonly strategy: 'jwt' | 'database'
  readonly userId: string
  /** The call in front of which the process kills itself. Absent: never. */
  readonly killAt?: number
}

let count = 0

/** Counts calls of an adapter or store. */
function counted<T extends object>(target: T, killAt: number | undefined): T {
  return new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name)
      if (name === 'records' || name === 'log') return counted(value as object, killAt)
      if (typeof value !== 'function' || name === 'store') return value
      return (...args: unknown[]) => {
        count += 1
        if (count === killAt) process.kill(process.pid, 'SIGKILL')
        return Reflect.apply(value, from, args)
      }
    },
  })
}

process.on('message', async ({ url, strategy, userId, killAt }: KillOrder) => {
  const db = connect(url)
  const adapter = sqlAdapter(db, { user: { team: 'string' } })
  const place = { adapter: counted<Adapter>(adapter as Adapter, killAt), store: counted(adapter.store(), killAt) }
  const auth = defineAuth(configOf(place, strategy))
  const deleted = await auth.users
    .delete(userId, { reason: 'a worker' })
    .catch((error: Error) => ({ error: error.message }))
  process.send?.(JSON.parse(JSON.stringify(deleted)))
  await db.destroy()
})
