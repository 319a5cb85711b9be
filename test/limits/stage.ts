/**
 * The stage of the suites about rate limits: an application whose `authorize` records its calls, and visitors who
 * guess.
 */

import type { DeniedMessage } from '../../lib/features/limits/types.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'

export const base = '/api/auth'

/** Both doors to the routes. With Express the client is who `X-Forwarded-For` names. */
export const doors = {
  express: (config: Partial<FullStackAuthConfig>) => openExpress(config, { trustProxy: 1 }),
  shim: openShim,
} as const

export interface LimitStage {
  readonly door: Door
  /** The names that `authorize` was asked about. */
  readonly evaluated: string[]
  readonly denied: DeniedMessage[]
  /** Sends a name and a password, from a page of the own site. */
  guess(who: Browser, username: string, password?: string, headers?: Record<string, string>): Promise<Answer>
  /** Returns a visitor without cookies. @param ip The client's address. */
  stranger(ip?: string): Browser
  close(): Promise<void>
}

export async function openLimitStage(
  open: (config: Partial<FullStackAuthConfig>) => Promise<Door>,
  config: Partial<FullStackAuthConfig> = {},
): Promise<LimitStage> {
  const evaluated: string[] = []
  const denied: DeniedMessage[] = []
  const door = await open({
    // Each stage is a site of its own: what one counted does not count for the next.
    secret: `a-secret-of-the-stage-${Math.random()}-${Math.random()}`,
    rateLimit: {},
    events: { denied: (message) => void denied.push(message) },
    providers: [
      credentials({
        authorize({ username, password }) {
          evaluated.push(String(username))
          return password === 'right' ? { id: `id-of-${username}`, name: String(username) } : null
        },
      }),
    ],
    ...config,
  })
  return {
    door,
    evaluated,
    denied,
    guess: (who, username, password = 'wrong', headers = {}) =>
      who.ask(`${base}/callback/credentials`, {
        form: { username, password },
        headers: { origin: door.origin, 'sec-fetch-site': 'same-origin', accept: 'application/json', ...headers },
      }),
    stranger: (ip) => door.browser(ip === undefined ? {} : { 'x-forwarded-for': ip }),
    close: () => door.close(),
  }
}
