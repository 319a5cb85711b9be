/** Nothing that answers a request may wait for ever. */

/** The promise's outcome, or a rejection with `TimeoutError` after `milliseconds`. The work itself is not stopped. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DOMException(`${what} took longer than ${milliseconds / 1000} seconds.`, 'TimeoutError'))
    }, milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
