/** Where a session begins, as far as the person's list of sessions shows it: on what kind of device, and from which network. */
import { warnOnce } from '../base/warn-once.js'
import type { AuthContext, Beginning } from '../contracts/index.js'
import { coarseNetworkOf, isProxyAddress } from '../http/addresses.js'
import { deviceCodeOf } from '../http/device.js'

/** What of a request the session keeps. */
export function placeOf(context: AuthContext): Pick<Beginning, 'device' | 'network'> {
  return { device: deviceCodeOf(context.request.headers), network: networkOf(context) }
}

/** The client's network, where the application wants it. That of a proxy which it does not trust would be everybody's. */
function networkOf({ config, request }: AuthContext): string | undefined {
  if (!config.session.network || request.ip === undefined) return undefined
  if (!isProxyAddress(request)) return coarseNetworkOf(request.ip)
  warnOnce(config, 'unknown-network', unknownNetwork)
  return undefined
}

const unknownNetwork =
  'A proxy connects for other clients, but the application does not trust it: sessions do not say from which network they began (`session.network`). In Express set app.set("trust proxy", 1), or as many as there are proxies; elsewhere hand over the client\'s `ip`.'
