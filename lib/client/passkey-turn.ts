/** When a ceremony may go on: one at a time, and none with a challenge that is too old. */
import { page } from './page.js'

/**
 * One ceremony at a time. A browser takes no second one, and whoever presses a button wants that and not what was going on
 * before: so a new one stops the one under way, and waits until it is over. (Safari refuses a request that begins before
 * the one that it replaces has ended.)
 */
interface Turn {
  readonly stop: () => void
  /** Settled when nothing of it goes on. */
  readonly over: Promise<unknown>
}

/** One page, one set of credentials: what is under way concerns every caller in it. */
const underWay = new Set<Turn>()

/** Does something that needs the browser's credentials for itself. Its signal is aborted by the caller's, or by the next turn. */
export async function inTurn<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const over = afterOthers(() => work(controller.signal))
  const turn = { stop, over }
  underWay.add(turn)
  try {
    return await over
  } finally {
    underWay.delete(turn)
    signal?.removeEventListener('abort', stop)
  }
}

async function afterOthers<T>(work: () => Promise<T>): Promise<T> {
  const others = [...underWay]
  for (const { stop } of others) stop()
  await Promise.allSettled(others.map(({ over }) => over))
  return work()
}

/**
 * The server takes a challenge for 15 minutes. What is asked anew after 10 leaves a person five to answer, which is as long
 * as a dialog waits.
 */
const freshFor = 10 * 60 * 1000

/**
 * Begins the work again whenever its challenge has grown old, until it succeeds, fails by itself, or is aborted. The age is
 * looked at when the page is shown as well: a timer stands still while a computer sleeps, and its clock does not.
 */
export async function whileFresh<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const [controller, over] = [new AbortController(), new AbortController()]
    const began = Date.now()
    let isOld = false
    const abort = () => controller.abort()
    const expire = () => {
      isOld = true
      abort()
    }
    const timer = setTimeout(expire, freshFor)
    const until = { signal: over.signal }
    signal.addEventListener('abort', abort, until)
    page.document?.addEventListener?.('visibilitychange', () => Date.now() - began >= freshFor && expire(), until)
    if (signal.aborted) abort()
    try {
      return await work(controller.signal)
    } catch (error) {
      if (signal.aborted || !isOld) throw error
    } finally {
      clearTimeout(timer)
      over.abort()
    }
  }
}
