/** The memory that the values of this process take. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Returns a function that collects garbage, and returns the bytes of the heap in use. */
export function heapReader(): () => number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new TypeError('There is no garbage collector to call.')
  return () => {
    collect()
    return process.memoryUsage().heapUsed
  }
}
