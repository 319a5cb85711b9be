/** Measures the work between the arrival of a body and the first count of the request, or its answer where nothing is counted. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import type { Store } from '../../lib/types/store.js'

/** A clock that is started and stopped by requests. */
export interface Meter {
  /** A store that counts, and stops the clock. It is used as `rateLimit.store`. */
  readonly store: Pick<Store, 'counter'>
  /** Starts the clock when the body has arrived. */
  tap(request: IncomingMessage, response: ServerResponse): void
  /** Returns the milliseconds of the request since the last call, or `undefined` if no body was read to its end. */
  take(): number | undefined
}

interface Mark {
  readonly at: number
  readonly cpu: NodeJS.CpuUsage
}

export function createMeter(): Meter {
  const limits = createMemoryCounter()
  let began: Mark | undefined
  let spent: number | undefined
  const start = () => {
    if (spent === undefined) began = { at: performance.now(), cpu: process.cpuUsage() }
  }
  const stop = () => {
    if (began !== undefined) spent ??= since(began)
  }
  return {
    store: {
      counter: {
        consume(key, consumption) {
          stop()
          return limits.consume(key, consumption)
        },
        refund: (key, consumption) => limits.refund(key, consumption),
      },
    },
    tap(request, response) {
      request.once('end', start)
      response.once('finish', stop)
    },
    take() {
      const taken = spent
      began = undefined
      spent = undefined
      return taken
    },
  }
}

/** Returns the time in which this process worked, without the time in which the machine worked for others. */
function since({ at, cpu }: Mark): number {
  const { user, system } = process.cpuUsage(cpu)
  return Math.min(performance.now() - at, (user + system) / 1000)
}
