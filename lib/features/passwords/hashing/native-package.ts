/** The check that native packages can run here. */
import { isCloudflareWorkers } from '../../../base/runtime.js'
import { InvalidConfiguration } from '../../../errors.js'

const verifyElsewhere = 'Verify these hashes on a Node.js server, or let users reset their passwords.'

/**
 * @param what The beginning of the message.
 * @param remedy The end of the message.
 * @throws {@link InvalidConfiguration} on Cloudflare Workers.
 */
export function assertNativePackages(what: string, remedy = verifyElsewhere): void {
  if (!isCloudflareWorkers()) return
  throw new InvalidConfiguration(`${what} needs a native package, which Cloudflare Workers cannot run. ${remedy}`)
}
