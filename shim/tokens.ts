/** The APIs of providers, for the request that is being answered. */
import type { Auth } from '../lib/engine/index.js'
import { connectUrl, disconnect, exchangeToken, getAccessToken, providerFetch } from '../lib/tokens/functions.js'
import type {
  AccessTokenOptions,
  ConnectOptions,
  DisconnectResult,
  ExchangedToken,
  ExchangeTokenOptions,
  ProviderFetchOptions,
  ProviderToken,
} from '../lib/types/tokens.js'
import { toHostCookie } from './cookies.js'
import type { EngineOf } from './engine.js'
import { type AmbientRequest, type AuthHost, currentRequest } from './host.js'
import { toSource } from './request.js'
import { ResponseRecord } from './response-record.js'

/** Sets cookies on the answer that is being made. */
type Keep = (cookies: () => ReadonlyMap<string, string>) => void

/** Makes the functions. What they change in the browser's cookies is set on its answer. */
export function createTokenFunctions(engineOf: EngineOf<Auth>, host: AuthHost) {
  async function placeOf(caller: string) {
    const ambient = await currentRequest(host, caller)
    const engine = await engineOf(ambient.request)
    const { keep: keepCookies, finish } = keeperOf(engine.auth, host, ambient)
    return { engine, finish, request: { ...toSource(engine, ambient), ip: ambient.ip, keepCookies } }
  }

  return {
    async getAccessToken(options: AccessTokenOptions): Promise<ProviderToken> {
      const { engine, request, finish } = await placeOf('getAccessToken()')
      return getAccessToken(request, engine.config, options).finally(finish)
    },
    async exchangeToken(options: ExchangeTokenOptions): Promise<ExchangedToken> {
      const { engine, request, finish } = await placeOf('exchangeToken()')
      return exchangeToken(request, engine.config, options).finally(finish)
    },
    async connectUrl(options: ConnectOptions): Promise<string> {
      const { engine, request, finish } = await placeOf('connectUrl()')
      return connectUrl(request, engine.config, options).finally(finish)
    },
    providerFetch(options: ProviderFetchOptions): typeof fetch {
      return async (input, init) => {
        const { engine, request, finish } = await placeOf('providerFetch()')
        return providerFetch(request, engine.config, options)(input, init).finally(finish)
      }
    },
    async disconnect(options: Pick<AccessTokenOptions, 'provider' | 'providerAccountId'>): Promise<DisconnectResult> {
      const { engine, request, finish } = await placeOf('disconnect()')
      return disconnect(request, engine.config, options).finally(finish)
    },
  }
}

/** Where cookies go: onto a response that is under way, or to the host once the work is done. */
function keeperOf(auth: Auth, host: AuthHost, { writable, response }: AmbientRequest) {
  const finish = async () => {}
  if (!writable) return { keep: undefined, finish }
  if (response instanceof ResponseRecord)
    return { keep: (cookies: Parameters<Keep>[0]) => response.queue(cookies), finish }
  if (response) return { keep: (cookies: Parameters<Keep>[0]) => auth.writeLater(response, cookies), finish }
  const kept: Array<Parameters<Keep>[0]> = []
  return {
    keep: (cookies: Parameters<Keep>[0]) => void kept.push(cookies),
    finish: async () => {
      const lines = new Map(kept.flatMap((cookies) => [...cookies()]))
      if (lines.size > 0) await host.setCookies([...lines.values()].map(toHostCookie))
    },
  }
}
