/** The request that a host is answering. */
import type { AmbientRequest, AuthHost } from './host.js'

/** For functions that are called without one. @throws Error where there is none. */
export async function currentRequest(host: AuthHost, caller: string): Promise<AmbientRequest> {
  const ambient = await host.current()
  if (ambient) return ambient
  throw new Error(
    `${caller} was called where no request is being answered. Call it while one is: in a plain Fetch server below withRequest(request, …).`,
  )
}

/** What the host is answering; nothing where it does not know. */
export async function currentOf(host: AuthHost): Promise<AmbientRequest | undefined> {
  try {
    return (await host.current()) ?? undefined
  } catch {
    // Who has a request in hand does not depend on it.
    return undefined
  }
}
