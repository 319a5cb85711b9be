/** The endpoints `GET|POST app`, `POST app-token` and `POST app-signout`. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'

const loadApps = createLazyLoader('Apps', () => import('./action-entry.js'))

/** Returns an action. It throws {@link InvalidRequest} with 404 without `apps`. */
const actionOf =
  (name: 'authorize' | 'redeem' | 'signOutApp') =>
  async (context: AuthContext): Promise<AuthResponse> => {
    const { apps } = context.config
    if (!apps) throw new InvalidRequest('There are no apps. Set `apps`.', 404)
    return (await loadApps())[name](context, apps)
  }

/** The actions of apps. */
export const appActions = {
  app: actionOf('authorize'),
  'app-token': actionOf('redeem'),
  'app-signout': actionOf('signOutApp'),
}
