/** The request that is being answered, for functions that are called without one. */
import type { AmbientRequest, AuthHost } from './host.js'

/** @throws Error where there is none. */
export async function currentRequest(host: AuthHost, caller: string): Promise<AmbientRequest> {
  const ambient = await host.current()
  if (ambient) return ambient
  throw new Error(
    `${caller} was called where no request is being answered. Call it while one is: in a plain Fetch server below withRequest(request, …).`,
  )
}
