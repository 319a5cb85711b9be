/** The implementations of `auth.organizations`. */
import { assertUserId } from '../../account/actor.js'
import { InvalidConfiguration } from '../../errors.js'
import type { Runs } from '../../functions/run.js'
import { setActiveOrganization } from './action.js'
import type { OrganizationFunctions, organizationRules } from './functions.js'
import { loadMemberships } from './steps.js'

/** The functions of `auth.organizations`. */
export const organizationFunctions: Runs<OrganizationFunctions, typeof organizationRules> = {
  setActive: (call, id) =>
    call.run({ action: 'session', name: 'set-organization' }, (context) => setActiveOrganization(context, id)),
  async forget({ auth: { config } }, userId) {
    if (!config.organizations) throw new InvalidConfiguration('`organizations.forget` needs `organizations`. Set it.')
    assertUserId(userId)
    const memberships = await loadMemberships(config.organizations)
    memberships.forget(userId)
  },
}
