/** Type tests: what `initAuth` infers, and what it refuses. Compiled by `npm run typecheck`, never run. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import Google from '../../lib/providers/google.js'
import type { Session, SignedInSession } from '../../lib/types/session.js'
import initAuth, { type AuthHost, type FullStackAuthConfig, type FullStackAuthResult } from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type IsAny<T> = 0 extends 1 & T ? true : false
function assertType<T extends true>(_proof?: T): void {}

declare const request: Request
declare const req: IncomingMessage
declare const res: ServerResponse

export async function plain(): Promise<void> {
  const { auth, handlers } = initAuth({ providers: [Google] })
  const session = await auth()
  assertType<Equal<typeof session, SignedInSession | null>>()
  assertType<Equal<IsAny<typeof session>, false>>()
  const answer = handlers.GET(request)
  assertType<Equal<typeof answer, Promise<Response>>>()
}

/** Checks that guards return what they checked, and no Response that a caller could overlook. */
export async function guarded(): Promise<void> {
  const { auth } = initAuth({ providers: [Google], tokens: { store: 'cookie' } })
  const session = await auth.require(request, { allow: ({ user }) => user.name === 'ann' })
  assertType<Equal<typeof session, SignedInSession>>()
  const connected = await auth.requireConnection(request, { provider: 'google' })
  assertType<Equal<typeof connected, SignedInSession>>()
  const form = await auth.csrf.verify(request)
  assertType<Equal<typeof form, FormData>>()
  const fields = await auth.csrf.verify(request, { name: 'ann' })
  assertType<Equal<typeof fields, { name: string }>>()
}

export async function inferred(): Promise<void> {
  const { auth, unstable_update } = initAuth({
    providers: [Google],
    callbacks: {
      session: ({ session, token }) => ({
        ...session,
        role: token?.sub === '1' ? ('admin' as const) : ('user' as const),
      }),
      authorized({ auth, request }) {
        assertType<Equal<typeof auth, Session | null>>()
        assertType<Equal<typeof request, Request>>()
        return auth !== null
      },
    },
  })
  type Role = 'admin' | 'user'
  const sessions = [await auth(), await auth(req, res), await auth({ req, res }), await auth(request, new Response())]
  assertType<Equal<NonNullable<(typeof sessions)[number]>['role'], Role>>()
  const handler = auth((given, context: { params: Promise<{ id: string }> }) => {
    assertType<Equal<NonNullable<typeof given.auth>['role'], Role>>()
    assertType<Equal<typeof context.params, Promise<{ id: string }>>>()
    return new Response()
  })
  assertType<Equal<ReturnType<typeof handler>, Promise<Response>>>()
  assertType<Equal<Parameters<typeof handler>, [request: Request, context: { params: Promise<{ id: string }> }]>>()
  const passed = await auth(request)
  assertType<Equal<typeof passed, Response | undefined>>()
  const updated = await unstable_update({ role: 'user' })
  assertType<Equal<NonNullable<typeof updated>['role'], Role>>()
  // @ts-expect-error: the callback returns no such field
  await unstable_update({ team: 'blue' })
}

export async function lazy(): Promise<void> {
  const { auth } = initAuth(async (asked) => {
    assertType<Equal<typeof asked, Request | undefined>>()
    return {
      providers: [Google],
      callbacks: { session: ({ session }: { session: Session }) => ({ ...session, team: 'blue' }) },
    }
  })
  assertType<Equal<NonNullable<Awaited<ReturnType<typeof auth>>>['team'], string>>()
}

export async function actions(): Promise<void> {
  const { signIn, signOut } = initAuth({ providers: [Google] })
  const url = await signIn('google', { redirect: false, redirectTo: '/' }, { login_hint: 'ada' })
  assertType<Equal<typeof url, string>>()
  const left = signIn('my-own-provider', new FormData(), [['prompt', 'login']])
  assertType<Equal<typeof left, Promise<never>>>()
  const out = await signOut({ redirect: false })
  assertType<Equal<typeof out, string>>()
  // @ts-expect-error: no text
  await signOut({ redirectTo: 7 })
}

/** Checks that a wrapped handler sees the properties of a framework's own Request. */
interface FrameworkRequest extends Request {
  readonly nextUrl: URL
}

export function hosted(host: AuthHost<FrameworkRequest>): void {
  const { auth } = initAuth({ providers: [Google] }, host)
  auth((given) => new Response(given.nextUrl.pathname + given.auth?.user?.name))
  // @ts-expect-error: a plain Request is not what this host has
  auth(request)
}

export function wrong(): void {
  // @ts-expect-error: misspelt
  initAuth({ providers: [Google], sesion: {} })
  // @ts-expect-error: no providers
  initAuth({})
  // @ts-expect-error: no decision
  initAuth({ providers: [Google], callbacks: { authorized: () => 'yes' } })
}

export const declared: FullStackAuthResult = initAuth({ providers: [Google] } as FullStackAuthConfig)
