/** `auth.sessions.watch`. The checks are loaded at the first call. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createLazyLoader } from '../../base/lazy-loader.js'
import { functionOf, oneOf, optional, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedConfig, SessionMember } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { RequestCall, Runs } from '../../functions/run.js'
import { callReported, type Stop, stopLater } from '../../functions/stop-later.js'
import { toFound } from '../../session/reader.js'
import type { SessionWatchFunctions, sessionWatchRules } from './functions.js'
import type { WatchEndReason, WatchOptions } from './types.js'

const loadWatches = createLazyLoader('Watching sessions', () => import('./entry.js'))

const optionShape = shape({
  every: wholeNumber('of seconds', 1, 300),
  onOutage: oneOf('keep', 'end'),
  organization: optional<string | true>(
    (value) => value === true || (typeof value === 'string' && value !== ''),
    'must be the id of an organization, or true for the active one, not {kind}.',
  ),
})

/**
 * Runs code in the context in which this file was loaded, so that the timer does not keep the request that started it. This may be the
 * context of another request, if the application loads its modules on demand. So no listener runs in it.
 */
const runAsLoaded = AsyncLocalStorage.snapshot()

/** Reports the end of a watch. */
type EndWatch = (reason: WatchEndReason, error?: Error) => void

/** The function that watching adds to `auth.sessions`. */
export const sessionWatchFunctions: Runs<SessionWatchFunctions, typeof sessionWatchRules> = {
  watch(call, onEnd, given) {
    const { config } = call.auth
    const options = readOptions(config, onEnd, given)
    // A listener would otherwise run in the context of another request, with its session.
    const runAsCalled = AsyncLocalStorage.snapshot()
    let isOver = false
    const end: EndWatch = (reason, error) => {
      if (isOver) return
      isOver = true
      // An error of the listener is logged, so that other watches end too.
      void callReported(() => runAsCalled(onEnd, reason, error), config.logger.error)
    }
    const stop = stopLater(begin(call, end, options), (error) => {
      config.logger.error(error)
      end('outage', error)
    })
    return () => {
      isOver = true
      stop()
    }
  },
}

function readOptions(config: ResolvedConfig, onEnd: unknown, given: unknown): WatchOptions {
  if (functionOf()('onEnd', onEnd) === undefined) {
    throw new InvalidConfiguration(
      '`sessions.watch` needs a function that closes the connection. Pass it before the options.',
    )
  }
  const options = optionShape('sessions.watch', given)
  if (options.organization !== undefined && !config.organizations)
    throw new InvalidConfiguration('`organization` of `sessions.watch` needs `organizations`. Set it.')
  return options
}

async function begin({ auth, req }: RequestCall, onEnd: EndWatch, options: WatchOptions): Promise<Stop> {
  const { every = 15, onOutage, organization } = options
  const [{ reading }, { addWatch }] = await Promise.all([toFound(auth.readingOf(req)), loadWatches()])
  if (!reading) {
    onEnd('ended')
    return () => {}
  }
  const member = requiredMember(reading.member, organization)
  if (organization !== undefined && !member) {
    onEnd('left-organization')
    return () => {}
  }
  const watch = { onEnd, endsInOutage: onOutage === 'end', member }
  return runAsLoaded(() => addWatch(auth.config, reading.watched(), watch, every))
}

/** Returns the membership that must continue; `undefined` without an organization, or a user. */
function requiredMember({ userId, organization: active }: SessionMember, required: WatchOptions['organization']) {
  const organization = required === true ? active : required
  return userId === undefined || organization === undefined ? undefined : { userId, organization }
}
