/**
 * Forked by `processes.test.ts`: gets access tokens of a user, as a job does. Messages: `{ calls, options }` → what each came to;
 * `{ soak }` → asks for so many seconds, and tries each token at the provider.
 */

import { createClient } from 'redis'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { connect, sqlStore } from '../../lib/adapters/sql/index.js'
import type { AccessTokenOptions } from '../../lib/features/tokens/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { customFetch, type ServerAuthConfig } from '../../lib/index.js'
import type { Store } from '../../lib/types/store.js'
import { tokensIn, withRecords } from '../support/stores.js'

/** The settings of a worker. */
export interface WorkerSettings {
  readonly secret: string
  readonly url: string
  readonly prefix: string
  readonly userId: string
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret?: string }
  /** It is killed as it writes what the provider answered. */
  readonly diesAtWrite?: boolean
  /** Seconds that a call may take. */
  readonly timeout?: number
}

export interface WorkerOrder {
  readonly calls?: number
  readonly options?: Partial<AccessTokenOptions>
  /** Seconds. */
  readonly soak?: number
}

export interface Outcome {
  readonly token?: string
  readonly error?: string
  readonly reason?: string
  readonly retryable?: boolean
}

export interface WorkerAnswer {
  readonly outcomes: readonly Outcome[]
  /** All tokens that the provider gave this process. */
  readonly given: readonly string[]
  /** The number of tokens that the provider rejected. */
  readonly dead: number
}

const { secret, url, prefix, userId, provider, diesAtWrite, timeout }: WorkerSettings = JSON.parse(
  process.env.WORKER ?? '{}',
)

async function openStore(): Promise<Store> {
  if (!url.startsWith('redis:')) return sqlStore(connect(url))
  return redisStore(await createClient({ url }).connect(), { prefix })
}

const store = await openStore()
const given: string[] = []
const config: ServerAuthConfig = {
  secret,
  timeout: timeout ?? 10,
  session: { strategy: 'jwt' },
  tokens: {
    store: diesAtWrite
      ? withRecords(store, { write: () => new Promise(() => process.kill(process.pid, 'SIGKILL')) })
      : store,
  },
  logger: { error: () => {}, warn: () => {} },
  providers: [
    {
      id: 'test',
      name: 'Test',
      type: 'oidc',
      ...provider,
      [customFetch]: async (...request: Parameters<typeof fetch>) => {
        const response = await fetch(...request)
        if (String(request[0]).endsWith('/token')) {
          const { access_token, refresh_token } = await response.clone().json()
          given.push(...[access_token, refresh_token].filter((text) => text !== undefined))
        }
        return response
      },
    },
  ],
}

async function attempt(options: Partial<AccessTokenOptions> = {}): Promise<Outcome> {
  try {
    return {
      token: (await expressFunctions(config).tokens.get({ userId }, { provider: 'test', ...options })).accessToken,
    }
  } catch (error) {
    const { type, reason, retryable, message } = error as Record<'type' | 'reason' | 'message', string> & {
      retryable?: boolean
    }
    return { error: type ?? message, reason, ...(retryable !== undefined && { retryable }) }
  }
}

async function soak(seconds: number): Promise<{ outcomes: Outcome[]; dead: number }> {
  const outcomes: Outcome[] = []
  let dead = 0
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const outcome = await attempt()
    // Only errors are reported, because an hour has many successes.
    if (outcome.error) outcomes.push(outcome)
    const headers = { authorization: `Bearer ${outcome.token}` }
    if (outcome.token && (await fetch(`${provider.issuer}/me`, { headers })).status !== 200) dead += 1
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100))
  }
  return { outcomes, dead }
}

process.on('message', async ({ calls = 0, options, soak: seconds }: WorkerOrder) => {
  const { outcomes, dead } =
    seconds === undefined
      ? { outcomes: await Promise.all(Array.from({ length: calls }, () => attempt(options))), dead: 0 }
      : await soak(seconds)
  process.send?.({ outcomes, given, dead } satisfies WorkerAnswer)
})
await tokensIn(store).findByUser(userId)
process.send?.('ready')
