/** Sessions for the tests of an application, made as a sign-in makes them. */
import { isUrl } from '../base/url.js'
import { beginCall, type ReadStartOptions } from '../calls/call.js'
import { readStartOptions } from '../calls/start-session.js'
import { type Auth, sharedAuthOf } from '../engine/index.js'
import { InvalidConfiguration } from '../errors.js'
import { cookieHeaderAfter, readSetCookie } from '../http/cookies.js'
import type { StartSessionOptions } from '../types/calls.js'
import type { FullStackAuthConfig } from '../types/config.js'
import type { CookieAttributes } from '../types/cookies.js'
import type { User } from '../types/identity.js'
import { assertTests } from './only-tests.js'

/** Whose session {@link createSession} begins. */
export type TestUser = Partial<User> & { readonly [column: string]: unknown }

/** Options of {@link createSession}. */
export interface TestSessionOptions extends Pick<StartSessionOptions, 'maxAge' | 'remember' | 'data'> {
  /**
   * With an adapter: the `id` of a stored user, or an `email`, whose user is found or made. Without an adapter: anybody; your `jwt`
   * callback gets all that stands here as its `user`. Default: Test User, `test@example.com`.
   */
  user?: TestUser | undefined
  /** By which methods the person was authenticated (RFC 8176 §2), such as `['pwd', 'otp']`. Default: none is said. */
  amr?: readonly string[] | undefined
  /** 2: two factors were proved, for guards with `aal: 2`, and for who has a second factor. Default: one. */
  aal?: 2 | undefined
  /** Where the application is opened. Default: `AUTH_URL`, else `http://localhost:3000`. It says names and domain of the cookies. */
  url?: string | undefined
}

/** A session, in the forms that the tools of tests take. */
export interface TestSession {
  /** A `Cookie` header: of the session, and of the CSRF token. */
  readonly cookie: string
  /** The same as headers, for `fetch` and the like. */
  readonly headers: {
    /** The value of the header `Cookie`. */
    readonly cookie: string
  }
  /** `Set-Cookie` values. */
  readonly setCookies: readonly string[]
  /** For Playwright: `browser.newContext({ storageState })`. */
  readonly storageState: StorageState
  /** For a `POST` of a form to the routes: the field `csrfToken`. */
  readonly csrfToken: string
  /** The stored user; without an adapter the one that was named. */
  readonly user: User
}

/** What a browser of Playwright begins with. */
export interface StorageState {
  /** The cookies of the session. */
  cookies: BrowserCookie[]
  /** Empty: nothing is kept in `localStorage`. */
  origins: []
}

/** A cookie as Playwright has it. */
export interface BrowserCookie {
  /** The cookie's name. */
  name: string
  /** The cookie's value. */
  value: string
  /** The host that gets it. */
  domain: string
  /** The path below which it is sent. */
  path: string
  /** Seconds since the epoch; −1 for a cookie of the browser session. */
  expires: number
  /** Whether it is hidden from scripts. */
  httpOnly: boolean
  /** Whether it is sent over https only. */
  secure: boolean
  /** Whether requests from other sites carry it. */
  sameSite: 'Strict' | 'Lax' | 'None'
}

const defaultUser = { name: 'Test User', email: 'test@example.com' }

/**
 * Makes a session as a sign-in makes it: callbacks and events run, a row is written where sessions are rows, and it can be ended.
 * For tests: it asks nobody for a proof.
 *
 * @param config The configuration of your application, the very object that its routes have.
 * @returns Cookies for requests, and for a browser.
 * @throws `AuthError`: `InvalidConfiguration` with `NODE_ENV=production`, for options that cannot be meant, and where your `signIn`
 * callback refuses by an URL; `AccessDenied` where it refuses; `AccountNotLinked` when no stored user has the id.
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
  const { user: given, url, amr = [], ...rest } = options
  const auth = sharedAuthOf(config)
  const origin = originOf(auth, url)
  const person = given ?? defaultUser
  const read = readStartOptions({ ...definedIn(rest), user: personOf(auth, person), amr })
  const set = new Map<string, string>()
  const source = { headers: { 'user-agent': 'server-auth/testing' }, ip: '127.0.0.1', receivedOrigin: origin }
  const call = beginCall(auth, source, (performed) => {
    for (const [name, line] of performed.cookies()) set.set(name, line)
  })
  const started = await call.startSession(auth.config.store ? read : withAll(read, person))
  if (!started.started) {
    throw new InvalidConfiguration(
      `Your \`signIn\` callback, or a second factor, sends this person to ${started.url} instead of signing in. Name a user whom it lets in, or say \`aal: 2\`.`,
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

function originOf({ config }: Auth, url: string | undefined): string {
  const text = url ?? config.site?.origin ?? 'http://localhost:3000'
  if (!isUrl(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidConfiguration(
      '`url` of createSession must be where the application is, such as "http://localhost:3000".',
    )
  return new URL(text).origin
}

/** Whom `startSession` is told of: with a store somebody stored, or an address; else anybody. */
function personOf({ config }: Auth, person: TestUser): Record<string, unknown> {
  if (person.id !== undefined) return person
  return config.store ? { ...person, emailVerified: true } : { ...person, id: person.email ?? 'test-user' }
}

/** What the application's own users have beside the names that are ours, for the `jwt` callback. */
function withAll(read: ReadStartOptions, person: TestUser): ReadStartOptions {
  return read.user.id === undefined ? read : { ...read, user: { ...person, ...read.user } }
}

function definedIn(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** Cookies that clear one are left out. */
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
