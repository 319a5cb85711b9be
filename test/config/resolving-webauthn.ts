/** Resolves a provider of passkeys for tests. */
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ResolvedWebAuthnProvider } from '../../lib/contracts/index.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { Provider } from '../../lib/types/provider.js'
import { createLog, secret } from '../support/app.js'

/** The surroundings of the provider. */
export interface Setting {
  readonly env?: Record<string, string>
  readonly config?: Partial<ServerAuthConfig>
  readonly others?: unknown[]
}

/** Resolves one provider of any shape, under exactly this environment. */
export function resolve(
  provider: unknown,
  { env = {}, config = {}, others = [] }: Setting = {},
): ResolvedWebAuthnProvider {
  const { providers } = resolveConfig(
    {
      providers: [provider, ...others] as Provider[],
      secret,
      logger: createLog().logger,
      adapter: memoryAdapter(),
      experimental: { enableWebAuthn: true },
      ...config,
    },
    readEnv(env),
  )
  const [resolved] = providers.values()
  if (resolved?.kind !== 'webauthn') throw new Error('not a provider of passkeys')
  return resolved
}

export const production = { NODE_ENV: 'production' }
