/** Type tests: what the `session` callback returns is what callers get. Compiled by `npm run typecheck`, never run. */
import type { Request } from 'express'
import {
  defineAuth,
  getSession,
  type ServerAuthConfig,
  type Session,
  type SessionData,
  type SignedInSession,
} from '../../lib/index.js'
import Credentials from '../../lib/providers/credentials.js'
import GitHubLike from '../../lib/providers/google.js'
import initAuth from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type IsAny<T> = 0 extends 1 & T ? true : false
function assertType<T extends true>(_proof?: T): void {}

declare const req: Request

const auth = defineAuth({
  providers: [GitHubLike],
  callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
})

export async function inferred(): Promise<void> {
  const session = await auth.getSession(req)
  assertType<Equal<NonNullable<typeof session>['role'], 'admin'>>()
  assertType<Equal<IsAny<typeof session>, false>>()
  const same = await getSession(req, auth.config)
  assertType<Equal<typeof same, typeof session>>()
  auth.requireSession({ allow: (allowed) => allowed.role === 'admin' })
  // @ts-expect-error: the callback returns no such field
  auth.requireSession({ allow: (allowed) => allowed.team === 'blue' })
}

export async function twoArguments(): Promise<void> {
  const config = {
    providers: [GitHubLike],
    callbacks: { session: async ({ session }) => ({ ...session, plan: 3 }) },
  } satisfies ServerAuthConfig
  const session = await getSession(req, config)
  assertType<Equal<NonNullable<typeof session>['plan'], number>>()
}

export async function withoutCallback(): Promise<void> {
  const session = await getSession(req, { providers: [GitHubLike] })
  assertType<Equal<typeof session, SignedInSession | null>>()
  assertType<Equal<NonNullable<typeof session>['user']['id'], string>>()
  const declared: ServerAuthConfig = { providers: [] }
  assertType<Equal<Awaited<ReturnType<typeof getSession<typeof declared>>>, Session | null>>()
}

export const wrong = [
  // @ts-expect-error: no such option
  defineAuth({ providers: [], callback: {} }),
  // @ts-expect-error: seconds are a number
  defineAuth({ providers: [], session: { maxAge: '30d' } }),
  // @ts-expect-error: only the exported symbol
  defineAuth({ providers: [], skipCSRFCheck: true }),
]

/** A list of providers that depends on the environment keeps the inference, at both doors. */
export async function providersBySpread(): Promise<void> {
  const isOn = req.method === 'GET'
  const inBoth = defineAuth({
    providers: [
      ...(isOn ? [{ id: 'oidc', type: 'oidc' as const, name: 'Work' }] : []),
      Credentials({
        credentials: { username: { label: 'User name' }, password: { type: 'password' } },
        authorize: ({ username }) => ({ id: String(username) }),
      }),
    ],
    callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
  })
  assertType<Equal<NonNullable<Awaited<ReturnType<typeof inBoth.getSession>>>['role'], 'admin'>>()
  const { auth: inShim } = initAuth({
    providers: [
      ...(isOn ? [{ id: 'oidc', type: 'oidc' as const, name: 'Work' }] : []),
      Credentials({
        credentials: { username: { label: 'User name' }, password: { type: 'password' } },
        authorize: ({ username }) => ({ id: String(username) }),
      }),
    ],
    callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as const }) },
  })
  const session = await inShim()
  assertType<Equal<NonNullable<typeof session>['role'], 'admin'>>()
  // @ts-expect-error: no provider
  defineAuth({ providers: [...(isOn ? [7] : [])] })
}

/** Checks that the application's data in a session are typed where they are read and changed. */
export async function dataOfTheApplication(): Promise<void> {
  const res = req.res
  if (!res) return
  const plain = defineAuth({ providers: [GitHubLike], session: { data: true } })
  const session = await plain.getSession(req)
  assertType<Equal<NonNullable<typeof session>['data'], SessionData>>()
  const without = defineAuth({ providers: [GitHubLike] })
  const optional = await without.getSession(req)
  assertType<Equal<NonNullable<typeof optional>['data'], SessionData | undefined>>()

  const typed = defineAuth({
    providers: [GitHubLike],
    session: { data: true },
    callbacks: {
      session: ({ session: given }) => ({ ...given, data: given.data as { organisation?: string; visits?: number } }),
    },
  })
  const read = await typed.sessions.setData(req, res, { organisation: 'acme', visits: undefined })
  assertType<Equal<NonNullable<typeof read>['data'], { organisation?: string; visits?: number }>>()
  await typed.sessions.setData(req, res, ({ visits = 0 }) => ({ visits: visits + 1 }))
  // @ts-expect-error: not the type of the value
  await typed.sessions.setData(req, res, { organisation: 7 })
  // @ts-expect-error: no such value
  await typed.sessions.setData(req, res, { organization: 'acme' })
  // @ts-expect-error: not what the data is
  await typed.sessions.setData(req, res, () => ({ visits: 'many' }))

  const { auth: inShim, sessions } = initAuth({
    providers: [GitHubLike],
    session: { data: true },
    callbacks: { session: ({ session: given }) => ({ ...given, data: given.data as { organisation?: string } }) },
  })
  const shown = await inShim()
  assertType<Equal<NonNullable<typeof shown>['data'], { organisation?: string }>>()
  await sessions.setData({ organisation: 'acme' })
  // @ts-expect-error: not the type of the value
  await sessions.setData({ organisation: 7 })
}

/** An unknown option is a compile error, whatever its value is. */
export function misspelt(anything: ReturnType<typeof JSON.parse>): void {
  const providers: ServerAuthConfig['providers'] = []
  // @ts-expect-error: an object
  defineAuth({ providers, sesion: { strategy: 'jwt' } })
  // @ts-expect-error: a text
  defineAuth({ providers, secrt: 'x' })
  // @ts-expect-error: nothing
  defineAuth({ providers, adaptor: undefined })
  // @ts-expect-error: any
  defineAuth({ providers, sesion: anything })
}
