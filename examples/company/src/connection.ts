/** The single sign-on of an organization: its identity provider and its domains. */
import { type Request, Router } from 'express'
import type { Outcome } from 'server-auth'
import { adapter, auth } from './auth.js'
import { field, fieldList } from './field.js'

/** To be mounted at `/o/:org/single-sign-on`. */
export function connectionRoutes(): Router {
  const router = Router({ mergeParams: true })
  const owner = auth.requireSession({
    organization: (req) => req.params.org,
    permission: 'connections:write',
    // Changes need a recent sign-in. The guard requests it before the user fills in a form.
    maxAge: 300,
  })

  router.get('/', owner, async (req, res) => {
    const { id } = res.locals.organization
    const listed = await auth.connections.list(req, id)
    const domain = field(req.query, 'domain')
    const claimed = domain ? await auth.connections.claimDomain(req, { organization: id, domain }) : undefined
    if (!listed.ok) return res.redirect('/')
    res.render('single-sign-on', {
      organization: await auth.organizations.get(req, id),
      ...listed,
      owners: await ownersOf(req, id),
      domain,
      claimed,
      typed: typedIn(req.query),
    })
  })

  type Act = (req: Request, organization: string) => Promise<Outcome<string>>
  /** Adds a form, which returns to the page with the reason if nothing was changed. */
  function form(path: string, act: Act, query: (req: Request) => string = () => ''): void {
    router.post(`/${path}`, owner, async (req, res) => {
      const { id } = res.locals.organization
      const outcome = await act(req, id)
      const notice = outcome.ok ? `${path}-done` : outcome.reason
      res.redirect(303, `/o/${id}/single-sign-on?notice=${notice}${outcome.ok ? '' : query(req)}`)
    })
  }
  form(
    'create',
    (req, organization) => {
      const clientSecret = field(req.body, 'clientSecret')
      const secret = clientSecret ? { clientSecret } : {}
      return auth.connections.create(req, { organization, ...typedIn(req.body), ...secret })
    },
    // The form has the same values again, except the secret.
    (req) => `&${new URLSearchParams(typedIn(req.body))}`,
  )
  form('state', (req) => {
    const state = field(req.body, 'state')
    return auth.connections.set(req, field(req.body, 'id'), {
      state: state === 'on' || state === 'test' ? state : 'off',
    })
  })
  form('policy', (req) => {
    const policy = field(req.body, 'policy') === 'required' ? 'required' : 'optional'
    return auth.connections.set(req, field(req.body, 'id'), { policy, exempt: fieldList(req.body, 'exempt') })
  })
  form('delete', (req) => auth.connections.delete(req, field(req.body, 'id')))
  form(
    'verify',
    (req, organization) => auth.connections.verifyDomain(req, { organization, domain: field(req.body, 'domain') }),
    // The page shows the record again.
    (req) => `&${new URLSearchParams({ domain: field(req.body, 'domain') })}`,
  )
  form('release', (req, organization) =>
    auth.connections.releaseDomain(req, { organization, domain: field(req.body, 'domain') }),
  )
  return router
}

/** Returns the values of the form for a new connection, which are not secret. */
function typedIn(fields: unknown) {
  return { name: field(fields, 'name'), issuer: field(fields, 'issuer'), clientId: field(fields, 'clientId') }
}

/** Returns the owners among the first hundred members, with their users. */
async function ownersOf(req: Request, organization: string) {
  const page = await auth.organizations.members(req, organization)
  const owners = page.ok ? page.members.filter(({ role }) => role === 'owner') : []
  return Promise.all(owners.map(({ userId }) => adapter.getUser(userId)))
}
