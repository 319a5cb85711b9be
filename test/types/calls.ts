/** Type tests: calls of the application's own code. Compiled, never run. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import {
  type AccountOverview,
  defineAuth,
  type Outcome,
  type SignedInSession,
  type StartedSession,
  signIn,
  signOut,
  startSession,
  update,
} from '../../lib/index.js'
import Google from '../../lib/providers/google.js'
import initAuth from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

declare const req: Request
declare const res: Response
declare const nodeReq: IncomingMessage
declare const nodeRes: ServerResponse

const config = { providers: [Google] }

export async function functions(): Promise<void> {
  const sent = await signIn(req, res, config, 'google')
  assertType<Equal<typeof sent, void>>()
  const url = await signIn(req, res, config, 'google', { redirect: false, redirectTo: '/' }, { login_hint: 'ann' })
  assertType<Equal<typeof url, string>>()
  const left = await signOut(nodeReq, nodeRes, config, { redirect: false })
  assertType<Equal<typeof left, string>>()
  const session = await update(req, res, config, { user: { name: 'Ann' } })
  assertType<Equal<typeof session, SignedInSession | null>>()
}

export async function proofs(): Promise<void> {
  const started = await startSession(req, res, config, { user: { id: '1' }, amr: ['otp'] })
  assertType<Equal<typeof started, StartedSession>>()
  if (started.started) assertType<Equal<typeof started.isNewUser, boolean>>()
  // @ts-expect-error: nobody is signed in
  else assertType<Equal<typeof started.isNewUser, boolean>>()
  await startSession(req, res, config, { user: { email: 'a@b.example', emailVerified: true }, amr: [] })
  // @ts-expect-error: an address that nobody proved
  await startSession(req, res, config, { user: { email: 'a@b.example' }, amr: [] })
  // @ts-expect-error: the date of a row is no word of the application's
  await startSession(req, res, config, { user: { email: 'a@b.example', emailVerified: new Date() }, amr: [] })
}

export async function methods(): Promise<void> {
  const auth = defineAuth({
    providers: [Google],
    callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as 'admin' | 'user' }) },
  })
  const session = await auth.update(req, res, { role: 'user' })
  assertType<Equal<NonNullable<typeof session>['role'], 'admin' | 'user'>>()
  // @ts-expect-error: the callback returns no such field
  await auth.update(req, res, { team: 'blue' })
  const url = await auth.signOut(req, res, { redirect: false })
  assertType<Equal<typeof url, string>>()
}

export async function account(): Promise<void> {
  const { account: ofUser, sessions, startSession: begin } = initAuth({ providers: [Google] })
  const overview = await ofUser.get()
  assertType<Equal<typeof overview, AccountOverview | null>>()
  const unlinked = await ofUser.unlink({ provider: 'google', providerAccountId: '1' })
  assertType<Equal<typeof unlinked, Outcome<'unknown' | 'last'>>>()
  const ended = await sessions.endOthers()
  assertType<Equal<typeof ended, number>>()
  const started = await begin({ user: { id: '1' }, amr: [] })
  assertType<Equal<typeof started, StartedSession>>()
}
