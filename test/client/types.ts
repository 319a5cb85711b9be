/** Type tests: the client and its React binding. Compiled by `npm run typecheck`, never run. */
import type * as published from 'next-auth/react'
import * as client from '../../lib/client/index.js'
import * as react from '../../lib/client/react.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

interface Staff extends client.Session {
  role: string
}

export async function sessions(): Promise<void> {
  const session = await client.getSession()
  assertType<Equal<typeof session, client.Session | null>>()
  const staff = await client.getSession<Staff>()
  assertType<Equal<typeof staff, Staff | null>>()
  const updated = await client.update<Staff>({ role: 'admin' })
  assertType<Equal<typeof updated, Staff | null>>()
  // @ts-expect-error: nobody may be signed in
  session.user
}

export async function signingIn(): Promise<void> {
  const left = await client.signIn('github', { redirectTo: '/orders' }, { login_hint: 'ada@example.com' })
  assertType<Equal<typeof left, void>>()
  await client.signIn()
  await client.signIn('one-of-yours', undefined, [['prompt', 'login']])
  const result = await client.signIn('credentials', { username: 'ann', password: 'x', redirect: false })
  assertType<Equal<typeof result, client.SignInResponse>>()
  if (result.ok) assertType<Equal<typeof result.url, string>>()
  else assertType<Equal<typeof result.error, string>>()
  // @ts-expect-error: redirectTo is text
  await client.signIn('github', { redirectTo: 7 })
}

export async function signingOut(): Promise<void> {
  const left = await client.signOut()
  assertType<Equal<typeof left, void>>()
  const { url } = await client.signOut({ redirect: false })
  assertType<Equal<typeof url, string>>()
}

export async function others(): Promise<void> {
  const { github } = await client.getProviders()
  assertType<Equal<typeof github, client.AppProvider | undefined>>()
  const token = await client.getCsrfToken()
  assertType<Equal<typeof token, string>>()
}

export function Hooks(): void {
  const any = react.useSession()
  assertType<Equal<typeof any.status, 'authenticated' | 'unauthenticated' | 'loading'>>()
  if (any.status === 'authenticated') assertType<Equal<typeof any.data, client.Session>>()
  else assertType<Equal<typeof any.data, null>>()
  const required = react.useSession({ required: true })
  assertType<Equal<typeof required.status, 'authenticated' | 'loading'>>()
  const { status } = react.useSession({ required: Math.random() > 0.5, onUnauthenticated() {} })
  assertType<Equal<typeof status, typeof any.status>>()
  const staff = react.useSession<{ role: string }>()
  assertType<Equal<typeof staff.data, { role: string } | null>>()
  const requiredStaff = react.useSession<{ role: string }>({ required: true })
  assertType<Equal<typeof requiredStaff.data, { role: string } | null>>()
  // @ts-expect-error: somebody may be loading
  required.data.expires
}

/** Checks that code can take from our client the values that it took from the published one. */
export function moved(
  value: ReturnType<typeof react.useSession>,
  required: react.SessionContextValue<true>,
  response: client.SignInResponse,
  update: react.UpdateSession,
): void {
  const moves: [
    published.SessionContextValue,
    published.SessionContextValue<true>,
    published.SignInResponse,
    published.UpdateSession,
  ] = [value, required, response, update]
  void moves
}

/** Checks that code can pass to our client the values that it passed to the published one. */
export function given(
  props: published.SessionProviderProps,
  signIn: published.SignInOptions<false>,
  params: published.SignInAuthorizationParams,
  signOut: published.SignOutParams<true>,
): void {
  const { baseUrl: _unused, ...others } = props
  const moves: [
    react.SessionProviderProps,
    client.SignInOptions<false>,
    client.SignInAuthorizationParams,
    client.SignOutParams,
  ] = [others, signIn, params, signOut]
  void moves
}
