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
