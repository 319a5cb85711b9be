/** The description of sign-outs at providers. */
import type { Description } from '../../types/description.js'

/** Sign-outs at providers. */
export const logout = {
  routes: {
    'backchannel-logout': { segment: ['POST'], json: true, impersonated: ['POST'] },
    'frontchannel-logout': { segment: ['GET'], getHasEffects: true, impersonated: ['GET'] },
  },
} as const satisfies Description
