/** Finds the credentials of a request, and the cookie policy by which its session is looked up. */
import { cookiePolicies } from '../config/site.js'
import type { CookiePolicy, ReadOptions, ResolvedConfig } from '../contracts/index.js'
import { presentedCookieNames } from '../http/chunks.js'
import { CookieJar } from '../http/cookies.js'
import { header, type MessageHeaders } from '../http/message.js'
import { type OriginSource, readOrigin } from '../http/origin.js'
import type { OpenResponse } from '../http/response.js'
import { bearerToken } from '../jwt.js'
import { legacyOptionsOf } from './session-cookie.js'

/** A request for `getSession`: an Express request, or any Node request. */
export interface SessionRequest extends OriginSource {
  /** The headers, of which cookies and `Authorization` are read. */
  readonly headers: MessageHeaders
  /** The response, if the request has it (Express sets it). It is used to extend the session. */
  readonly res?: unknown
}

/** The parts of a request that contain a session. */
export interface SessionSource {
  readonly cookie: string | undefined
  readonly authorization: string | undefined
  /** The request's origin; `undefined` when it is not known. */
  readonly origin: string | undefined
  readonly writable: boolean
  /** As in {@link ReadOptions}. */
  readonly isFresh?: boolean
}

/**
 * A request as a source, with the cookies that it had at first. On Node 20, each property of a request takes long to read, so only
 * those that decide are read, and none twice.
 */
export class RequestSource implements SessionSource {
  readonly cookie: string | undefined

  constructor(
    private readonly config: ResolvedConfig,
    private readonly req: SessionRequest,
    readonly isFresh = false,
  ) {
    this.cookie = header(req.headers, 'cookie')
  }

  get authorization() {
    return header(this.req.headers, 'authorization')
  }

  get origin() {
    // `AUTH_URL` takes precedence over the request.
    return this.config.site ? undefined : readOrigin(this.req)
  }

  get writable() {
    return openResponseOf(this.req) !== undefined
  }
}

/** The options of a read. Whether a cookie can be written is looked up only if one is due. */
export class SourceReadOptions implements ReadOptions {
  constructor(
    private readonly source: SessionSource,
    readonly bearer: string | undefined,
  ) {}

  get writable() {
    return this.source.writable
  }

  get isFresh() {
    return this.source.isFresh === true
  }
}

/** Returns the response of a request, if its headers can still be set. */
export function openResponseOf({ res }: SessionRequest): OpenResponse | undefined {
  return isResponse(res) && !res.headersSent ? res : undefined
}

/** Creates the functions that find the credentials of a request: cookies, and the header if that is allowed. */
export function createCredentialReader(config: ResolvedConfig) {
  const { secure, plain } = config.cookies
  const legacy = legacyOptionsOf(config)?.cookieName
  const own = [secure, plain].map(({ sessionToken }) => sessionToken.name)
  const sessionNames = [...new Set(legacy === undefined ? own : [...own, legacy])]
  // A name that contains another one is found with it.
  const shortest = sessionNames.filter((name) => !sessionNames.some((each) => each !== name && name.includes(each)))
  const names = [...new Set([...sessionNames, secure.browser.name, plain.browser.name])]
  const { bearer } = config.session
  const policyOf = createPolicyFinder(config)
  return {
    /** Checks whether a request may have a session. Without the text of a name in the header, no cookie has that name. */
    arePresent(source: SessionSource): boolean {
      const { cookie } = source
      if (cookie !== undefined) for (const name of shortest) if (cookie.includes(name)) return true
      return bearer && source.authorization !== undefined
    },
    /** Returns where a session is looked up. */
    contextOf(source: SessionSource) {
      const cookies = new CookieJar(source.cookie, names)
      const context = { config, cookies, cookiePolicy: policyOf(cookies, source) }
      return { context, bearer: bearer ? bearerToken(source.authorization) : undefined }
    },
  }
}

/** Creates the function that returns the cookie policy of the origin, or, if that is not known, of the cookie that was sent. */
function createPolicyFinder(config: ResolvedConfig) {
  const [certain, ...others] = cookiePolicies(config, config.site?.origin)
  if (others.length === 0) return () => certain
  return ({ received }: CookieJar, source: SessionSource): CookiePolicy => {
    const { origin } = source
    const policies = cookiePolicies(config, origin)
    if (origin !== undefined) return policies[0]
    const isSent = ({ sessionToken }: CookiePolicy) => presentedCookieNames(received, sessionToken.name).length > 0
    return policies.find(isSent) ?? policies[0]
  }
}

function isResponse(value: unknown): value is OpenResponse {
  return typeof value === 'object' && value !== null && 'setHeader' in value && 'writeHead' in value
}
