/** The members of an organization: the list, and the forms that change it. */
import { type Request, Router } from 'express'
import type { Outcome } from 'server-auth'
import { adapter, auth, type Role, roles } from './auth.js'
import { field } from './field.js'

const roleNames = ['owner', 'admin', 'member'] as const satisfies readonly Role[]

/** Returns the roles whose permissions a role has. Its users can give and take these. */
function rolesBelow(role: Role): Role[] {
  const own: ReadonlySet<string> = new Set(roles[role])
  return roleNames.filter((other) => roles[other].every((permission) => own.has(permission)))
}

/** To be mounted at `/o/:org/members`. */
export function memberRoutes(): Router {
  const router = Router({ mergeParams: true })
  const member = auth.requireSession({ organization: (req) => req.params.org, permission: 'members:read' })

  router.get('/', member, async (req, res) => {
    const { id, role } = res.locals.organization
    const page = await auth.organizations.members(req, id, { after: field(req.query, 'after') || undefined, limit: 50 })
    const pending = await auth.organizations.invitations(req, id)
    // The user was removed a moment ago.
    if (!page.ok || !pending.ok) return res.redirect('/')
    const users = await Promise.all(page.members.map(({ userId }) => adapter.getUser(userId)))
    res.render('members', {
      organization: await auth.organizations.get(req, id),
      members: page.members.map((each, index) => ({ ...each, user: users[index] })),
      next: page.next,
      invitations: pending.invitations,
      roles: rolesBelow(role),
      mayWrite: role !== 'member',
      you: res.locals.session.user.id,
    })
  })

  type Act = (req: Request, organization: string) => Promise<Outcome<string>>
  /** Adds a form, which returns to the list with the reason if nothing was changed. */
  function form(path: string, act: Act): void {
    router.post(`/${path}`, member, async (req, res) => {
      const { id } = res.locals.organization
      const outcome = await act(req, id)
      // Users who have left cannot open the list.
      const back = outcome.ok && path === 'leave' ? '/' : `/o/${id}/members`
      res.redirect(303, `${back}?notice=${outcome.ok ? `${path}-done` : outcome.reason}`)
    })
  }
  form('invite', (req, organization) => {
    const [email, role] = [field(req.body, 'email'), field(req.body, 'role')]
    return auth.organizations.invite(req, { organization, email, role })
  })
  form('revoke', (req, organization) => {
    return auth.organizations.revokeInvitation(req, { organization, id: field(req.body, 'id') })
  })
  form('role', (req, organization) => {
    const [userId, role] = [field(req.body, 'userId'), field(req.body, 'role')]
    return auth.organizations.setRole(req, { organization, userId, role })
  })
  form('remove', (req, organization) => {
    return auth.organizations.removeMember(req, { organization, userId: field(req.body, 'userId') })
  })
  form('transfer', (req, organization) => {
    const userId = field(req.body, 'userId')
    return auth.organizations.transferOwnership(req, { organization, userId, role: 'admin' })
  })
  form('leave', (req, organization) => auth.organizations.leave(req, organization))
  return router
}
