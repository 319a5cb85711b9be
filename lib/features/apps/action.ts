/** The endpoints `GET|POST app`, `POST app-token` and `POST app-signout`. */
import type { AuthContext, ResolvedApps } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import { authorize } from './action-authorize.js'
import { redeem } from './action-redeem.js'
import { signOutApp } from './action-sign-out.js'

/** Returns an action. It throws {@link InvalidRequest} with 404 without `apps`. */
const withApps =
  (action: (context: AuthContext, apps: ResolvedApps) => Promise<AuthResponse>) =>
  async (context: AuthContext): Promise<AuthResponse> => {
    const { apps } = context.config
    if (!apps) throw new InvalidRequest('There are no apps. Set `apps`.', 404)
    return action(context, apps)
  }

/** The actions of apps. */
export const appActions = {
  app: withApps(authorize),
  'app-token': withApps(redeem),
  'app-signout': withApps(signOutApp),
}
