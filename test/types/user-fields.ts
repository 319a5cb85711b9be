/** Type tests: the application's own fields of users, from the adapter to the session. Compiled, never run. */
import type { Request } from 'express'
import type { Kysely } from 'kysely'
import { type Adapter, combine, type SessionStore, withUserFields } from '../../lib/adapters/index.js'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { sqlAdapter } from '../../lib/adapters/sql/index.js'
import { auditLog } from '../../lib/audit/index.js'
import { defineAuth, getSession, ServerAuth, type ServerAuthConfig, type UserFieldsOf } from '../../lib/index.js'
import GitHub from '../../lib/providers/github.js'
import initAuth from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

type Role = 'reader' | 'admin'

declare const db: Kysely<unknown>
declare const req: Request

const adapter = sqlAdapter(db, {
  user: {
    role: { type: ['reader', 'admin'], default: 'reader' },
    plan: 'string',
    seats: { type: 'number' },
    isBlocked: { type: 'boolean', default: false },
    born: 'date',
  },
})
const providers = [GitHub]

export async function values(): Promise<void> {
  const user = await adapter.getUser('1')
  assertType<Equal<NonNullable<typeof user>['role'], Role>>()
  assertType<Equal<NonNullable<typeof user>['plan'], string | null>>()
  assertType<Equal<NonNullable<typeof user>['seats'], number | null>>()
  assertType<Equal<NonNullable<typeof user>['isBlocked'], boolean>>()
  assertType<Equal<NonNullable<typeof user>['born'], Date | null>>()
  await adapter.updateUser({ id: '1', role: 'admin', born: new Date() })
  // @ts-expect-error: not an allowed value
  await adapter.updateUser({ id: '1', role: 'amdin' })
  // @ts-expect-error: no such field
  user?.rol
  await adapter.transaction(async (inside) => {
    const same = await inside.getUser?.('1')
    assertType<Equal<NonNullable<typeof same>['role'], Role>>()
  })
}

export const wrong = [
  // @ts-expect-error: no such type
  () => sqlAdapter(db, { user: { role: 'text' } }),
  // @ts-expect-error: replaced
  () => sqlAdapter(db, { userColumns: ['role'] }),
]

export async function callbacksAndEvents(): Promise<void> {
  const auth = defineAuth({
    providers,
    adapter,
    callbacks: {
      signIn: ({ user }) => !('isBlocked' in user && user.isBlocked),
      session: ({ session, user }) => ({ ...session, role: user?.role ?? 'reader', plan: user?.plan }),
    },
    events: {
      signIn({ user }) {
        assertType<Equal<typeof user.role, Role | undefined>>()
      },
      createUser({ user }) {
        assertType<Equal<typeof user.role, Role>>()
      },
      unlinkAccount({ user }) {
        assertType<Equal<typeof user.role, Role>>()
      },
    },
  })
  const session = await auth.getSession(req)
  assertType<Equal<NonNullable<typeof session>['role'], Role>>()
  assertType<Equal<NonNullable<typeof session>['plan'], string | null | undefined>>()
  assertType<Equal<NonNullable<typeof session>['user']['id'], string>>()
  // @ts-expect-error: not shown, because `session.userFields` does not name it
  session?.user.role
  assertType<Equal<UserFieldsOf<typeof auth.config>['role'], Role>>()
  defineAuth({
    providers,
    adapter,
    // @ts-expect-error: no such field
    callbacks: { session: ({ session: given, user }) => ({ ...given, role: user?.rol }) },
  })
}

export async function shown(): Promise<void> {
  const auth = defineAuth({
    providers,
    // The order of the options does not matter.
    session: { userFields: ['role', 'born'], strategy: 'jwt' },
    adapter,
  })
  const session = await auth.getSession(req)
  assertType<Equal<NonNullable<typeof session>['user']['role'], Role>>()
  assertType<Equal<NonNullable<typeof session>['user']['born'], string | null>>()
  // @ts-expect-error: not named
  session?.user.plan
  auth.requireSession({ allow: ({ user }) => user.role === 'admin' })
  // @ts-expect-error: not an allowed value
  auth.requireSession({ allow: ({ user }) => user.role === 'amdin' })
  const same = await getSession(req, auth.config)
  assertType<Equal<typeof same, typeof session>>()
  ServerAuth(auth.config)
  const stored = await auth.users.get('1')
  assertType<Equal<NonNullable<typeof stored>['user']['role'], Role>>()

  const withCallback = defineAuth({
    providers,
    adapter,
    session: { userFields: ['role'], data: true },
    callbacks: { session: ({ session: given }) => ({ ...given, isAdmin: given.user.role === 'admin' }) },
  })
  const more = await withCallback.getSession(req)
  assertType<Equal<NonNullable<typeof more>['user']['role'], Role>>()
  assertType<Equal<NonNullable<typeof more>['isAdmin'], boolean>>()
  // @ts-expect-error: no such field
  defineAuth({ providers, adapter, session: { userFields: ['rol'] } })
  // @ts-expect-error: the adapter declares none
  defineAuth({ providers, adapter: sqlAdapter(db), session: { userFields: ['role'] } })
  // @ts-expect-error: no adapter
  defineAuth({ providers, session: { userFields: ['role'] } })
}

/** The audit log names no fields, so that it must not hide those of the adapter. */
export async function withAuditLog(): Promise<void> {
  const events = auditLog(db).events
  const auth = defineAuth({ providers, adapter, session: { userFields: ['role'] }, events })
  const session = await auth.getSession(req)
  assertType<Equal<NonNullable<typeof session>['user']['role'], Role>>()
  const { auth: read } = initAuth({ providers, adapter, session: { userFields: ['role'] }, events })
  const inShim = await read()
  assertType<Equal<NonNullable<typeof inShim>['user']['role'], Role>>()
}

export async function management(): Promise<void> {
  const { users } = defineAuth({ providers, adapter })
  const page = await users.list({}, req)
  assertType<Equal<(typeof page)['users'][number]['user']['role'], Role>>()
  await users.update({ userId: '1', role: 'admin' }, req)
  await users.create({ email: null, emailVerified: false, role: 'reader' })
  // @ts-expect-error: no such role
  await users.update({ userId: '1', role: 'admn' })
  // @ts-expect-error: no such field
  await users.update({ userId: '1', rol: 'admin' })
  const shim = initAuth({ providers, adapter })
  await shim.users.update({ userId: '1', role: 'admin' })
  // @ts-expect-error: no such role
  await shim.users.update({ userId: '1', role: 'admn' })
}

export async function inShim(): Promise<void> {
  const { auth, users } = initAuth({
    providers,
    adapter,
    session: { userFields: ['role'] },
    callbacks: { authorized: ({ auth: session }) => session !== null },
  })
  const session = await auth()
  assertType<Equal<NonNullable<typeof session>['user']['role'], Role>>()
  const page = await users.list({})
  assertType<Equal<(typeof page)['users'][number]['user']['role'], Role>>()
  const { auth: lazy } = initAuth(() => ({ providers, adapter, session: { userFields: ['role'] } }))
  const later = await lazy()
  assertType<Equal<NonNullable<typeof later>['user']['role'], Role>>()
}

/** Adapters of other packages, in memory and with sessions elsewhere. */
export async function otherAdapters(published: Adapter, sessions: SessionStore): Promise<void> {
  const user = { role: { type: ['reader', 'admin'], default: 'reader' } } as const
  const all = [
    withUserFields(published, user),
    memoryAdapter({ user }),
    combine(withUserFields(published, user), { sessions }),
  ] as const
  for (const each of all) {
    const session = await defineAuth({
      providers,
      adapter: each,
      session: { userFields: ['role'] },
    }).getSession(req)
    assertType<Equal<NonNullable<typeof session>['user']['role'], Role>>()
  }
  const typed: Adapter<{ role: Role }> = memoryAdapter({ user })
  const auth = defineAuth({
    providers,
    adapter: typed,
    callbacks: { session: ({ session, user: stored }) => ({ ...session, role: stored?.role }) },
  })
  const session = await auth.getSession(req)
  assertType<Equal<NonNullable<typeof session>['role'], Role | undefined>>()
}

export async function declaredBefore(): Promise<void> {
  const config = {
    providers,
    adapter,
    session: { userFields: ['role'] },
  } as const satisfies ServerAuthConfig
  const session = await getSession(req, config)
  assertType<Equal<NonNullable<typeof session>['user']['role'], Role>>()
}
