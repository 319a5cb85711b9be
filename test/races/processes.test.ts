/**
 * Password resets against sign-ins with the old password, in two processes on PostgreSQL: no session of the old password survives. `ROUNDS=500`
 * runs as many resets as the issue that asked for security stamps.
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'

import { forkScript } from '../support/child-script.js'
import { requireDatabase, type TestDatabase } from '../support/databases.js'
import { type SiteSettings, siteOn } from './site.js'
import type { WorkerOrder } from './worker-main.js'

const rounds = Number(process.env.ROUNDS ?? 10)
const email = 'ann@example.com'

class Worker {
  static async start(settings: SiteSettings): Promise<Worker> {
    const child = await forkScript('test/races/worker-main.ts', { WORKER: JSON.stringify(settings) })
    await once(child, 'message')
    return new Worker(child)
  }

  private constructor(private readonly child: ChildProcess) {}

  async follow(order: WorkerOrder): Promise<string[]> {
    const answered = once(this.child, 'message')
    this.child.send(order)
    return (await answered)[0]
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`${rounds} password resets with twelve sign-ins each, in two processes on PostgreSQL, ${strategy}`, function () {
    this.timeout(60_000 + rounds * 2000)
    let database: TestDatabase
    const workers: Worker[] = []

    before(async function () {
      database = await requireDatabase(this, 'postgres')
      await migrate(database.db)
      // The third process signs in beside the one that sets the password: its own calls come one after the other.
      for (let count = 0; count < 3; count += 1) workers.push(await Worker.start({ url: database.url, strategy }))
    })
    after(async () => {
      for (const worker of workers.splice(0)) await worker.stop()
      await database?.close()
    })

    it('RC-11: leave no session of the old password', async () => {
      const db = connect(database.url)
      const adapter = sqlAdapter(db)
      const { id: userId } = await adapter.createUser({ id: '', email, emailVerified: new Date() })
      let password = 'the first password of all'
      const site = siteOn(adapter, { strategy })
      await expressFunctions(site.config).passwords.set({ userId, password }, site.request)
      const seen = { signIns: 0, survivors: 0 }
      for (let round = 0; round < rounds; round += 1) {
        const next = `another password, number ${round}`
        const [first, second, third] = workers as [Worker, Worker, Worker]
        const old = { email, password, signIns: 6 }
        const set = { userId, after: (round * 37) % 300 }
        const answers = await Promise.all([
          first.follow(old),
          second.follow(old),
          third.follow({ email, password: next, set }),
        ])
        // A new store object has no copy of what had ended before.
        const fresh = siteOn(sqlAdapter(db), { strategy })
        for (const cookie of answers.flat()) {
          seen.signIns += 1
          if (await fresh.isAlive(cookie)) seen.survivors += 1
        }
        password = next
      }
      await db.destroy()
      if (process.env.ROUNDS) console.error(strategy, seen)
      expect(seen.survivors).to.equal(0)
    })
  })
}
