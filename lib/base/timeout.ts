/** Limits the time that a request waits for other work. */

/**
 * Returns the promise's outcome, or rejects with `TimeoutError` after `milliseconds`. The work itself is not stopped.
 */
export function withTimeout<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DOMException(`${what} took longer than ${milliseconds / 1000} seconds.`, 'TimeoutError'))
    }, milliseconds)
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
