/** The functions of `auth.connections`. Their code is loaded at the first call. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { Runs } from '../../functions/run.js'
import type { ConnectionFunctions, connectionRules } from './functions.js'
import { requireConnections } from './store.js'

const loadManagement = createLazyLoader('The functions of connections', () => import('./calls-manage.js'))

/** The functions of `auth.connections`. */
export const connectionFunctions: Runs<ConnectionFunctions, typeof connectionRules> = {
  async create(call, given) {
    requireConnections(call.auth.config)
    return (await loadManagement()).createConnection(call, given)
  },
  async list(call, organizationId) {
    requireConnections(call.auth.config)
    return (await loadManagement()).listConnections(call, organizationId)
  },
  async claimDomain(call, claim) {
    requireConnections(call.auth.config)
    return (await loadManagement()).claimDomain(call, claim)
  },
  async verifyDomain(call, claim) {
    requireConnections(call.auth.config)
    return (await loadManagement()).verifyDomain(call, claim)
  },
  async releaseDomain(call, claim) {
    requireConnections(call.auth.config)
    return (await loadManagement()).releaseDomain(call, claim)
  },
  async set(call, id, change) {
    requireConnections(call.auth.config)
    return (await loadManagement()).setConnection(call, id, change)
  },
  async delete(call, id) {
    requireConnections(call.auth.config)
    return (await loadManagement()).deleteConnection(call, id)
  },
  async verifiesAddress(call, address) {
    requireConnections(call.auth.config)
    return (await loadManagement()).verifiesAddress(call, address)
  },
}
