/** The function that watching adds to `auth.sessions`. */
import type { Rules } from '../../types/call-rules.js'
import type { WatchEndReason, WatchOptions } from './types.js'

/** The function of `auth.sessions` for connections that outlast their request. */
export interface SessionWatchFunctions {
  /**
   * Watches the session of a request, for a WebSocket or a stream. All watched sessions of a process are checked together
   * in the background, so it costs no query for each connection.
   *
   * The watch follows the session, not its cookie: an extension in another request continues it. A session that is
   * replaced, by a sign-in, a step-up or another active organization, has ended.
   *
   * It never rejects. If it cannot begin, for example because the database fails, `onEnd` is called with `outage`.
   *
   * @param onEnd Called once, when the session is over, and never after `stop`. `error` is the cause of an outage. If there
   *   is no session, it is called soon after this function has returned. It runs in the async context of this call
   *   (`AsyncLocalStorage`). Its errors are logged.
   * @returns A function that stops the watch. It may be called several times. Call it when the connection closes.
   * @throws `InvalidConfiguration` for an invalid option, and for `organization` without the option `organizations`. Behind
   *   `initAuth` and `tenants`, `onEnd` gets the error.
   *
   * @example
   * ```ts
   * const stop = auth.sessions.watch(request, () => socket.close(4401))
   * socket.on('close', stop)
   * ```
   */
  watch(onEnd: (reason: WatchEndReason, error?: Error) => unknown, options?: WatchOptions): () => void
}

/** The rule of this function. */
export const sessionWatchRules = {
  watch: { needs: 'request', effect: 'reads', impersonated: true, returns: 'stop' },
} as const satisfies Rules<SessionWatchFunctions>
