/** Schedules ceremonies: one at a time, and none with an expired challenge. */
import { page } from './page.js'

/**
 * One ceremony at a time. A browser accepts no second one, and a user who presses a button no longer wants the previous
 * one. So a new one stops the current one, and waits until it is over. (Safari rejects a request that starts before the
 * one that it replaces has ended.)
 */
interface Turn {
  readonly stop: () => void
  /** Settled when all its work is over. */
  readonly over: Promise<unknown>
}

/** The turns of all callers, because a page has one set of credentials. */
const runningTurns = new Set<Turn>()

/**
 * Runs work that needs the browser's credentials exclusively. Its signal is aborted by the caller, or by the next turn.
 */
export async function runExclusively<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const over = runAfterOthers(() => work(controller.signal))
  const turn = { stop, over }
  runningTurns.add(turn)
  try {
    return await over
  } finally {
    runningTurns.delete(turn)
    signal?.removeEventListener('abort', stop)
  }
}

async function runAfterOthers<T>(work: () => Promise<T>): Promise<T> {
  const others = [...runningTurns]
  for (const { stop } of others) stop()
  await Promise.allSettled(others.map(({ over }) => over))
  return work()
}

/**
 * The server accepts a challenge for 15 minutes. A new one after 10 leaves the user five minutes, which is as long as a
 * dialog waits.
 */
const maxChallengeAge = 10 * 60 * 1000

/**
 * Restarts the work whenever its challenge has become old, until it succeeds, fails, or is aborted. The age is also
 * checked when the page is shown, because timers pause while a computer sleeps.
 */
export async function withFreshChallenge<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    const [controller, over] = [new AbortController(), new AbortController()]
    const began = Date.now()
    let isOld = false
    const abort = () => controller.abort()
    const expire = () => {
      isOld = true
      abort()
    }
    const timer = setTimeout(expire, maxChallengeAge)
    const until = { signal: over.signal }
    signal.addEventListener('abort', abort, until)
    page.document?.addEventListener?.(
      'visibilitychange',
      () => Date.now() - began >= maxChallengeAge && expire(),
      until,
    )
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
