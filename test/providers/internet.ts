/**
 * The providers of the catalogue at their real addresses, answered by the tests' own provider over HTTP: no request
 * leaves the machine.
 *
 * ```ts
 * const stage = useStage()
 * beforeEach(() => stage.restart({}, { providers: [GitHub({ …, [customFetch]: reroute(stage.provider) })] }))
 * stage.provider.routes.set('/api.github.com/user', () => ({ body: { id: 1 } }))
 * ```
 */
import type { HostileProvider, ReceivedRequest, Reply } from '../support/hostile-provider.js'

/** A `fetch` that asks `<local provider>/<host>/<path>` for `https://<host>/<path>`. */
export function reroute(provider: HostileProvider): typeof fetch {
  return (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
    return fetch(`${provider.origin}/${host}${pathname}${search}`, init)
  }
}

/** The answer of one address: a body, or a function of the request. */
export type Answers = Readonly<Record<string, object | ((request: ReceivedRequest) => Reply | Promise<Reply>)>>

/** Sets what the addresses answer, each written as `<host>/<path>`. */
export function answerAt(provider: HostileProvider, answers: Answers): void {
  for (const [address, answer] of Object.entries(answers)) {
    provider.routes.set(
      `/${address}`,
      typeof answer === 'function' ? (answer as () => Reply) : () => ({ body: answer }),
    )
  }
}

/** An OpenID provider at its real address: its discovery document, its keys, its tokens. */
export function openIdAnswers(
  provider: HostileProvider,
  document: { issuer: string; token_endpoint: string; jwks_uri: string } & Readonly<Record<string, unknown>>,
  tokens: (request: ReceivedRequest) => Reply | Promise<Reply> = ({ body }) =>
    provider.tokens(body, { iss: document.issuer }),
): Answers {
  const address = (url: string) => url.replace('https://', '')
  return {
    [`${address(document.issuer.replace(/\/$/, ''))}/.well-known/openid-configuration`]: document,
    [address(document.jwks_uri)]: () => ({ body: provider.jwks }),
    [address(document.token_endpoint)]: tokens,
  }
}

/** Addresses that were asked, in their order, as `<host>/<path>`. */
export function asked(provider: HostileProvider): string[] {
  return provider.requests.map(({ path }) => path.slice(1))
}

/** The last request to an address. */
export function lastRequest(provider: HostileProvider, address: string): ReceivedRequest {
  const request = provider.requests.findLast(({ path }) => path === `/${address}`)
  if (!request) throw new Error(`nobody asked ${address}, but ${asked(provider).join(', ')}`)
  return request
}
