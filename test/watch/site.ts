/** Applications without a server, whose sessions are watched. Calls of their adapters and timers are counted. */
import { defineAuth, type ServerAuthConfig, type SessionRequest } from '../../lib/index.js'
import { createSession } from '../../lib/testing/create-session.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { createLog } from '../support/app.js'

export const secret = 'a secret of the test, which is long enough'

/** A site without a server: its sessions, and requests with them. */
export function openSite(adapter: Adapter, more: Partial<ServerAuthConfig> = {}) {
  const log = createLog()
  const config: ServerAuthConfig = {
    ...{ secret, adapter, providers: [], trustHost: true, logger: log.logger },
    session: { strategy: 'database', revocation: false },
    ...more,
  }
  const auth = defineAuth(config)
  return {
    auth,
    config,
    log,
    /** Ends the sessions of a user. */
    async endSessions(name: string) {
      const { users } = await auth.users.list({ search: name })
      for (const { user } of users) await auth.sessions.endAll(user.id)
    },
    /** Begins a session. Returns a request of its browser. */
    async request(email: string): Promise<SessionRequest> {
      const { cookie } = await createSession(config, { user: { email } })
      return { headers: { host: 'localhost', cookie } }
    },
  }
}

/** Wraps an adapter: counts calls, and can be made to fail. */
export function countCalls(adapter: Adapter) {
  const calls: Array<{ readonly method: string; readonly size: number }> = []
  const state = { fails: false }
  const counted = new Proxy(adapter, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      return (...args: unknown[]) => {
        const [first] = args
        calls.push({ method: String(name), size: Array.isArray(first) ? first.length : 1 })
        if (state.fails) return Promise.reject(new Error('the database of the test is down'))
        return Reflect.apply(own, target, args)
      }
    },
  })
  return { adapter: counted, calls, state }
}

/** Counts the intervals that run, unreferenced ones too, which `process.getActiveResourcesInfo` does not list. */
export function countIntervals() {
  const running = new Set<unknown>()
  const { setInterval: start, clearInterval: stop } = globalThis
  globalThis.setInterval = ((...args: Parameters<typeof start>) => {
    const timer = start(...args)
    running.add(timer)
    return timer
  }) as typeof start
  globalThis.clearInterval = (timer) => {
    running.delete(timer)
    stop(timer)
  }
  return { running, restore: () => void Object.assign(globalThis, { setInterval: start, clearInterval: stop }) }
}
