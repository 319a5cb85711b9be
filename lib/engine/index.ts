/** The engine: a configuration, resolved once, that answers requests and reads sessions. Plain values in and out. */
import onHeaders from 'on-headers'
import {
  act,
  type ChangeEmailOutcome,
  changeEmail,
  csrfTokenFor,
  failure,
  fitCookies,
  isOwnForm,
  toAuthError,
  toReply,
} from '../actions/index.js'
import type { Logger } from '../base/logger.js'
import { BoundedMap, perOwner, type SiteMemory } from '../base/memory.js'
import { cookiePolicies } from '../config/cookies.js'
import { resolveConfig } from '../config/resolve.js'
import { assertTrusted } from '../config/resolve-site.js'
import type { AuthContext, CookieContext, ResolvedConfig, SessionOwner } from '../contracts/index.js'
import { AuthError, toError } from '../errors.js'
import { CookieJar } from '../http/cookies.js'
import { type AuthReply, type AuthRequest, type AuthResponse, header } from '../http/message.js'
import type { OpenResponse } from '../http/response.js'
import { AuthUrls } from '../http/urls.js'
import { createReader, type SessionReader } from '../session/reader.js'
import type { AdapterUser } from '../types/adapter.js'
import type { FullStackAuthConfig, ServerAuthConfig } from '../types/config.js'

/** What tells visitors apart, outside our own routes. */
export interface Visitor {
  /** The `Cookie` header. */
  readonly cookie: string | undefined
  readonly origin: string | undefined
}

/** What an action came to that the application's own code asked for. */
export interface Performed {
  readonly outcome: AuthResponse | AuthError
  /** `Set-Cookie` values by cookie name, as of now. */
  cookies(): ReadonlyMap<string, string>
}

/** The engine of one configuration. */
export interface Auth extends SessionReader {
  /** Answers a request to one of our routes. Never rejects. */
  handle(request: AuthRequest): Promise<AuthReply>
  /** Does what the application's own code asks for, without a form's token. What fails is logged and told. Never rejects. */
  perform(request: AuthRequest): Promise<Performed>
  /** Mails a user a link to the address in the body, which makes it theirs. */
  changeEmail(request: AuthRequest, user: AdapterUser): Promise<ChangeEmailOutcome>
  /** The CSRF token of a visitor, with the cookie to set where there was none. */
  csrfToken(source: Visitor): {
    readonly token: string
    readonly cookies: ReadonlyMap<string, string>
  }
  /** Whose session a request carries; runs no callback. */
  owner(source: Visitor): Promise<SessionOwner | null>
  /** Whether a POST to a route of the application's comes from a page of its own, with the token of {@link csrfToken}. */
  hasCsrfToken(source: Visitor & Pick<AuthRequest, 'headers' | 'body'>): boolean
  /** Tells of each work that goes on after its answer is out, as it begins. A listener is told once, however often added. */
  onBackground(listener: (work: Promise<unknown>) => void): void
  /** Waits for what goes on after answers are out, such as mails under way. */
  close(): Promise<void>
}

/** The engine of a configuration object: built once, found again by identity. Throws for a wrong configuration. */
export const authOf = perOwner((config: ServerAuthConfig): Auth => createAuth(resolveConfig(config)))

/** The same for `initAuth`, whose configurations may say more. */
export const fullStackAuthOf = perOwner(
  (config: FullStackAuthConfig): Auth => createAuth(resolveConfig(config, undefined, true)),
)

function createAuth(config: ResolvedConfig): Auth {
  const reader = createReader(config, beforeHeaders)
  const { sessions } = reader
  const background = createBackground(config.logger)
  warnOfSharedSessions(config)
  const contextOf = ({ cookie, origin }: Visitor): CookieContext => {
    assertTrusted(config, origin)
    const [cookiePolicy] = cookiePolicies(config, config.site?.origin ?? origin)
    return { config, cookies: new CookieJar(cookie), cookiePolicy }
  }
  const auth: Auth = {
    ...reader,
    async handle(request) {
      const context = createContext({ config, sessions, request, background })
      try {
        return toReply(context, await act(context))
      } catch (error) {
        return toReply(context, await failure(context, error))
      }
    },
    async perform(request) {
      const context = { ...createContext({ config, sessions, request, background }), ownCall: true as const }
      try {
        return performed(context, await act(context))
      } catch (thrown) {
        const error = toAuthError(request, thrown)
        await failure(context, error)
        return performed(context, error)
      }
    },
    async changeEmail(request, user) {
      assertTrusted(config, request.origin)
      return changeEmail({ ...createContext({ config, sessions, request, background }), ownCall: true }, user)
    },
    csrfToken(source) {
      const place = contextOf(source)
      return { token: csrfTokenFor(place), cookies: place.cookies.written }
    },
    owner: async (source) => sessions.owner(contextOf(source)),
    hasCsrfToken({ headers, body, ...source }) {
      const origin = config.site?.origin ?? source.origin ?? ''
      return isOwnForm({ ...contextOf(source), request: { headers, body }, urls: { origin } })
    },
    onBackground: background.listen,
    close: background.settled,
  }
  return Object.freeze(auth)
}

/** What failed sets no cookies, except a sign-out: where the session could not be ended in the store, the cookie still goes. */
function performed(context: AuthContext, outcome: Performed['outcome']): Performed {
  fitCookies(context)
  const setsNone = outcome instanceof AuthError && context.request.action !== 'signout'
  return { outcome, cookies: () => (setsNone ? new Map() : context.cookies.written) }
}

/** Frameworks hand out stand-ins for their response; what was really written on is `this`. */
function beforeHeaders(response: OpenResponse, callback: (open: OpenResponse) => void): void {
  onHeaders(response as Parameters<typeof onHeaders>[0], function (this: OpenResponse) {
    callback(this)
  })
}

/** Keeps promises until they are settled. */
function createBackground(logger: Logger) {
  const pending = new Set<Promise<unknown>>()
  const listeners = new Set<(work: Promise<unknown>) => void>()
  const tell = (listener: (work: Promise<unknown>) => void, work: Promise<unknown>) => {
    try {
      listener(work)
    } catch (error) {
      // The work goes on all the same.
      logger.error(toError(error))
    }
  }
  return {
    run(work: Promise<unknown>): void {
      const settled = work.catch(() => {}).finally(() => pending.delete(settled))
      pending.add(settled)
      for (const listener of listeners) tell(listener, settled)
    },
    listen: (listener: (work: Promise<unknown>) => void) => void listeners.add(listener),
    async settled(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}

function createContext(parts: Pick<AuthContext, 'config' | 'sessions' | 'request' | 'background'>): AuthContext {
  const { config, request } = parts
  return {
    ...parts,
    cookies: new CookieJar(header(request.headers, 'cookie')),
    cookiePolicy: cookiePolicies(config, request.origin)[0],
    urls: urlsOf(config, request),
  }
}

/** By origin and mount, of which a site has few. A client that makes up more only pushes out what is worked out again. */
const knownUrls = perOwner((_config: ResolvedConfig) => new BoundedMap<string, AuthUrls>(20))

function urlsOf(config: ResolvedConfig, { origin, basePath }: AuthRequest): AuthUrls {
  const known = knownUrls(config)
  // An origin has no path: both together are one text only.
  const place = origin + basePath
  const urls = known.get(place) ?? new AuthUrls(origin, basePath, config.pages)
  if (place.length < 300 && !known.has(place)) known.set(place, urls)
  return urls
}

/** Which providers the first configuration of a site has. */
const firstProvidersOf = perOwner((_site: SiteMemory) => new Set<string>())

/** Two configurations that read each other's sessions but know other providers are usually meant to be apart. */
function warnOfSharedSessions(config: ResolvedConfig): void {
  const providers = [...config.providers.values()].map(({ id, type }) => `${type}:${id}`).join(' ')
  const known = firstProvidersOf(config.memory)
  if (known.size > 0 && !known.has(providers)) {
    config.logger.warn(
      'shared-sessions',
      "Another configuration in this process has the same secret and session cookie but other providers: each accepts the other's sessions. Set `cookies.sessionToken.name` to keep them apart.",
    )
  }
  known.clear()
  known.add(providers)
}
