import { AssertionError } from 'chai'

/** Returns the error with which a promise was rejected. Fails the test when it was fulfilled. */
export async function rejectionOf(promise: PromiseLike<unknown>): Promise<Error> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    if (error instanceof Error) return error
    throw new AssertionError(`expected a rejection with an Error, got one with a ${typeof error}`)
  }
  throw new AssertionError(`expected a rejection, got the value ${JSON.stringify(value)}`)
}

/** Returns the error that a function throws. Fails the test when it returns. */
export function thrownBy(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    if (error instanceof Error) return error
    throw new AssertionError(`expected an Error to be thrown, got a ${typeof error}`)
  }
  throw new AssertionError('expected a throw, the function returned')
}

/** Returns the Response that a guard throws. Fails the test when the guard allows the request. */
export async function thrownResponse(guarded: PromiseLike<unknown>, what = 'the request'): Promise<Response> {
  try {
    await guarded
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
  throw new AssertionError(`expected a Response to be thrown, but ${what} was allowed`)
}
