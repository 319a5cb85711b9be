/** A request that waits in the background for long, longer than a challenge lives. */
import { page } from './page.js'

/**
 * The server takes a challenge for 15 minutes. What is asked anew after 10 leaves a person five to answer, which is as long
 * as a dialog waits.
 */
const freshFor = 10 * 60 * 1000

/** Begins the work again whenever its challenge has grown old, until it succeeds, fails by itself, or is aborted. */
export async function whileFresh<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const age = startAge(signal)
    try {
      return await work(age.signal)
    } catch (error) {
      if (signal.aborted || !age.isOver()) throw error
    } finally {
      age.end()
    }
  }
}

/** A signal that is aborted by another one, or by age. A timer stands still while a computer sleeps; its clock does not. */
function startAge(signal: AbortSignal) {
  const controller = new AbortController()
  const began = Date.now()
  let isOver = false
  const abort = () => controller.abort()
  const expire = () => {
    isOver = true
    abort()
  }
  const check = () => {
    if (Date.now() - began >= freshFor) expire()
  }
  const timer = setTimeout(expire, freshFor)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  page.document?.addEventListener?.('visibilitychange', check)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      page.document?.removeEventListener?.('visibilitychange', check)
    },
  }
}
