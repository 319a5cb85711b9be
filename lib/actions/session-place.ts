/** Where a session begins, as far as the person's list of sessions shows it: on what kind of device, and from which network. */
import { warnOnce } from '../base/warn-once.js'
import type { AuthContext } from '../contracts/index.js'
import { coarseNetworkOf, isProxyAddress } from '../http/addresses.js'
import { deviceCodeOf } from '../http/device.js'
import type { StepOf } from './sign-in-stages.js'

/** Adds the parts of the request that the session keeps. */
export const place: StepOf<'session'> = {
  name: 'device and network',
  stage: 'session',
  run: ({ context, beginning }) => ({
    beginning: { ...beginning, device: deviceCodeOf(context.request.headers), network: networkOf(context) },
  }),
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
