/**
 * Forked by `processes.test.ts`: a process of a site whose sessions and passwords are in a database. Messages: `{ signIns }` → the session
 * cookies of so many sign-ins at once, `{ set }` → sets another password after so many milliseconds.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'

import { type SiteSettings, siteOn } from './site.js'

/** A message to a process. */
export interface WorkerOrder {
  readonly signIns?: number
  readonly email: string
  readonly password: string
  /** Sets the password of this user instead. `after`: milliseconds. */
  readonly set?: { readonly userId: string; readonly after: number }
}

const settings: SiteSettings = JSON.parse(process.env.WORKER ?? '{}')
const site = siteOn(sqlAdapter(connect(settings.url)), settings)

async function follow({ signIns = 0, email, password, set }: WorkerOrder): Promise<string[]> {
  if (set) {
    await sleep(set.after)
    await expressFunctions(site.config).passwords.set({ userId: set.userId, password }, site.request)
    return []
  }
  const cookies = await Promise.all(Array.from({ length: signIns }, () => site.signIn(email, password)))
  return cookies.filter((cookie) => cookie !== undefined)
}

process.on('message', async (order: WorkerOrder) => {
  process.send?.(await follow(order))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
