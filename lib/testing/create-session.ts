/** Sessions for the tests of an application, created as by a sign-in. */
import { isUrl } from '../base/url.js'
import { type CheckedStartOptions, createCall } from '../calls/call.js'
import { readStartOptions } from '../calls/start-session.js'
import { type AuthEngine, getSharedEngine } from '../engine/index.js'
import { InvalidConfiguration } from '../errors.js'
import { cookieHeaderAfter, readSetCookie } from '../http/cookies.js'
import type { AdapterUser } from '../types/adapter.js'
import type { StartSessionUserOptions, StatedProof } from '../types/calls.js'
import type { FullStackAuthConfig } from '../types/config.js'
import type { CookieAttributes } from '../types/cookies.js'
import type { User } from '../types/identity.js'
import { assertTests } from './assert-tests.js'

/** The user whose session {@link createSession} starts. */
export type TestUser = Partial<User> & { readonly [column: string]: unknown }

/** Options of {@link createSession}. */
export interface TestSessionOptions extends Pick<StartSessionUserOptions, 'maxAge' | 'remember' | 'data'> {
  /**
   * With an adapter: the `id` of a stored user, or an `email`, whose user is found or created. Other fields
   * beside `email` are rejected: create the user with `auth.users.create`. Without an adapter: any user; your `jwt`
   * callback gets all members as its `user`. Default: Test User, `test@example.com`.
   */
  user?: TestUser | AdapterUser | undefined
  /** The methods by which the user was authenticated (RFC 8176 §2), such as `['pwd', 'otp']`. Default: none. */
  amr?: readonly string[] | undefined
  /** 2: two factors were proved, for guards with `aal: 2`, and for users with a second factor. Default: one. */
  aal?: 2 | undefined
  /**
   * Proofs with times of their own, instead of `amr` and `aal`: for guards with `maxAge`. Default: one proof, of this
   * moment.
   */
  proofs?: readonly StatedProof[] | undefined
  /**
   * The URL of the application. Default: `AUTH_URL`, otherwise `http://localhost:3000`. It sets names and domain of the
   * cookies.
   */
  url?: string | undefined
}

/** A session, in the forms that test tools accept. */
export interface TestSession {
  /** A `Cookie` header with the session and the CSRF token. */
  readonly cookie: string
  /** The same cookies as headers, for `fetch`. */
  readonly headers: {
    /** The value of the header `Cookie`. */
    readonly cookie: string
  }
  /** `Set-Cookie` values. */
  readonly setCookies: readonly string[]
  /** For Playwright: `browser.newContext({ storageState })`. */
  readonly storageState: StorageState
  /** The field `csrfToken` of a form that is posted to the routes. */
  readonly csrfToken: string
  /** The stored user; without an adapter the given one. */
  readonly user: User
}

/** The initial state of a browser in Playwright. */
export interface StorageState {
  /** The cookies of the session. */
  cookies: BrowserCookie[]
  /** Empty, because `localStorage` is not used. */
  origins: []
}

/** A cookie in Playwright's format. */
export interface BrowserCookie {
  /** The cookie's name. */
  name: string
  /** The cookie's value. */
  value: string
  /** The host of the cookie. */
  domain: string
  /** The path of the cookie. */
  path: string
  /** In seconds since the epoch; −1 for a cookie of the browser session. */
  expires: number
  /** True if scripts cannot read it. */
  httpOnly: boolean
  /** True if it is sent over https only. */
  secure: boolean
  /** The rule for requests from other sites. */
  sameSite: 'Strict' | 'Lax' | 'None'
}

const defaultUser = { name: 'Test User', email: 'test@example.com' }

/**
 * Creates a session as a sign-in does: callbacks and events run, a database session is stored, and it can be ended. It
 * is for tests and requires no proof.
 *
 * @param config The configuration of your application, the same object that its routes use.
 * @returns Cookies for requests, and for a browser.
 * @throws `AuthError`: `InvalidConfiguration` with `NODE_ENV=production`, for invalid options, and if your `signIn`
 *   callback returns a URL; `AccessDenied` if it rejects; `AccountNotLinked` if no stored user has the id.
 *
 * @example
 * ```ts
 * const { cookie } = await createSession(config, { user: { id: '1', name: 'Ann', role: 'admin' } })
 * await request(app).get('/admin').set('Cookie', cookie).expect(200)
 * ```
 */
export async function createSession(
  config: FullStackAuthConfig,
  options: TestSessionOptions = {},
): Promise<TestSession> {
  assertTests('createSession')
  const { user: given, url, amr = options.proofs ? undefined : [], ...rest } = options
  const auth = getSharedEngine(config)
  const origin = applicationOrigin(auth, url)
  const testUser = given ?? defaultUser
  const read = readStartOptions({ ...withoutUndefined({ ...rest, amr }), user: startSessionUser(auth, testUser) })
  const set = new Map<string, string>()
  const source = { headers: { 'user-agent': 'server-auth/testing' }, ip: '127.0.0.1', receivedOrigin: origin }
  const call = createCall(auth, source, (performed) => {
    for (const [name, line] of performed.cookies()) set.set(name, line)
  })
  const started = await call.startSession(auth.config.store ? read : withUserMembers(read, testUser))
  if (!started.started) {
    throw new InvalidConfiguration(
      `Your \`signIn\` callback, or a second factor, redirects this user to ${started.url} instead of signing in. Use a user who is accepted, or set \`aal: 2\`.`,
    )
  }
  const { token, cookies } = auth.csrfToken({ cookie: cookieHeaderAfter(undefined, set), origin: call.urls.origin })
  for (const [name, line] of cookies) set.set(name, line)
  const cookie = cookieHeaderAfter(undefined, set)
  const setCookies = [...set.values()]
  return {
    cookie,
    headers: { cookie },
    setCookies,
    storageState: { cookies: setCookies.flatMap((line) => browserCookieOf(line, call.urls.origin)), origins: [] },
    csrfToken: token,
    user: started.user,
  }
}

function applicationOrigin({ config }: AuthEngine, url: string | undefined): string {
  const text = url ?? config.site?.origin ?? 'http://localhost:3000'
  if (!isUrl(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidConfiguration(
      '`url` of createSession must be where the application is, such as "http://localhost:3000".',
    )
  return new URL(text).origin
}

/** Returns the user for `startSession`: with a store a stored user or an email address, otherwise any user. */
function startSessionUser({ config }: AuthEngine, person: TestUser | AdapterUser): Record<string, unknown> {
  if (person.id !== undefined) return { ...person }
  return config.store ? { ...person, emailVerified: true } : { ...person, id: person.email ?? 'test-user' }
}

/** Adds the application's own members of the user, for the `jwt` callback. */
function withUserMembers(read: CheckedStartOptions, person: TestUser | AdapterUser): CheckedStartOptions {
  return read.user.id === undefined ? read : { ...read, user: { ...person, ...read.user } }
}

function withoutUndefined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** Converts a `Set-Cookie` line. Lines that clear a cookie are left out. */
function browserCookieOf(line: string, origin: string): BrowserCookie[] {
  const { name, value, options } = readSetCookie(line)
  if (options.maxAge === 0) return []
  const { hostname } = new URL(origin)
  return [
    {
      name,
      value,
      domain: options.domain === undefined ? hostname : `.${options.domain.replace(/^\./, '')}`,
      path: options.path ?? '/',
      expires: expiresOf(options),
      httpOnly: options.httpOnly === true,
      secure: options.secure === true,
      sameSite: sameSiteOf(options.sameSite),
    },
  ]
}

function expiresOf({ expires, maxAge }: CookieAttributes): number {
  if (maxAge !== undefined) return Math.floor(Date.now() / 1000) + maxAge
  return expires === undefined ? -1 : Math.floor(expires.getTime() / 1000)
}

function sameSiteOf(value: CookieAttributes['sameSite']): BrowserCookie['sameSite'] {
  if (value === true || value === 'strict') return 'Strict'
  return value === 'none' ? 'None' : 'Lax'
}
