/** Type tests: guards for members of organizations, by the words of `roles`. Compiled by `npm run typecheck`. Never run. */
import express, { type Request, type Response } from 'express'
import { defineAuth, type OrganizationMember, requireSession, type ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

const organizations = {
  membership: async (_userId: string, _organizationId: string) => ({ role: 'admin' }),
  roles: { admin: ['notes:read', 'notes:write'], member: ['notes:read'] },
} as const
type Role = 'admin' | 'member'

const auth = defineAuth({ providers: [], organizations })
const own = initAuth({ providers: [], organizations })

/** Checks the guards on Express. */
export function onExpress(): void {
  const app = express()
  const byPath = (req: Request) => req.params.org
  app.get('/:org', auth.requireSession({ organization: byPath, role: 'admin' }), (req, res) => {
    assertType<Equal<typeof req.params.org, string>>()
    assertType<Equal<typeof res.locals.organization, OrganizationMember<Role>>>()
    res.send(res.locals.session.user.name)
  })
  app.use(auth.requireSession({ organization: true, role: ['admin', 'member'], permission: 'notes:write' }))
  // The parameters are typed beside the requirements of all guards too.
  app.use(auth.requireSession({ organization: (req) => req.params.org, permission: 'notes:write', maxAge: 300 }))
  app.use(requireSession(auth.config, { organization: (req) => req.params.org, aal: 2 }))
  // @ts-expect-error: there is no such role
  app.use(auth.requireSession({ organization: true, role: 'owner' }))
  // @ts-expect-error: there is no such role
  app.use(auth.requireSession({ organization: true, role: ['admin', 'owner'] }))
  // @ts-expect-error: there is no such permission
  app.use(auth.requireSession({ organization: true, permission: 'notes:delete' }))
  // @ts-expect-error: a role needs an organization
  app.use(auth.requireSession({ role: 'admin' }))
  // @ts-expect-error: an id is not a function
  app.use(auth.requireSession({ organization: 'acme' }))
  // @ts-expect-error: the name is misspelt
  app.use(auth.requireSession({ organisation: true }))
  app.use(requireSession(auth.config, { organization: byPath, permission: 'notes:read' }))
  // @ts-expect-error: there is no such permission
  app.use(requireSession(auth.config, { organization: byPath, permission: 'notes:delete' }))
  app.get('/', auth.requireSession(), (_req, res: Response) => void res.json({}))
}

/** Checks the guards on Fetch servers. */
export async function onFetch(request: Request & globalThis.Request): Promise<void> {
  const session = await own.auth.require(request, { organization: (sent) => sent.headers.get('x-org'), role: 'admin' })
  const member: OrganizationMember<Role> = session.organization
  assertType<Equal<typeof member.role, typeof session.organization.role>>()
  await own.auth.require(request, { organization: (sent) => sent.headers.get('x-org'), maxAge: 300 })
  const here = await own.auth.require({ organization: () => 'acme', permission: 'notes:read', redirectTo: '/' })
  assertType<Equal<typeof here.organization.role, Role>>()
  const plain = await own.auth.require(request)
  // @ts-expect-error: without the requirement no organization is known, and no role
  plain.organization.role
  // @ts-expect-error: there is no such role
  await own.auth.require(request, { organization: true, role: 'owner' })
  // @ts-expect-error: there is no such permission
  await own.auth.require({ organization: true, permission: 'notes:delete' })
  // @ts-expect-error: a permission needs an organization
  await own.auth.require(request, { permission: 'notes:read' })
  const outcome = await own.organizations.setActive('acme')
  if (!outcome.ok) assertType<Equal<typeof outcome.reason, 'session' | 'unknown'>>()
}

/** Checks that a configuration whose roles are not known to the compiler takes any word. */
export function anyRoles(config: ServerAuthConfig): void {
  requireSession(config, { organization: true, role: 'anything' })
}
