/** The session of a page, kept up to date. Without React, for `react.ts`. */
import type { ReturnedSession, Session } from '../types/session.js'
import { onEvents, page } from './page.js'
import type { ClientError } from './request.js'
import { getSession, update } from './session.js'
import { notifyOtherPages, onChange, type SessionChange } from './session-changes.js'

/** A function that changes the session, or fetches it again without data. */
export type UpdateSession = (data?: unknown) => Promise<Session | null>

/** The common members of all states. */
interface CommonState {
  /** Changes the session on the server, or, without data, fetches it again. Resolves to the session. */
  readonly update: UpdateSession
  /** The error of the last request for the session; the previous state remains. */
  readonly error?: ClientError | undefined
}

/** The state with a session. */
export interface Authenticated<S = Session> extends CommonState {
  /** The discriminator. */
  readonly status: 'authenticated'
  /** The session. */
  readonly data: S
}

/** The state without a session. */
export interface Unauthenticated extends CommonState {
  /** The discriminator. */
  readonly status: 'unauthenticated'
  /** There is no session. */
  readonly data: null
}

/** The state before the first response. */
export interface Loading extends CommonState {
  /** The discriminator. */
  readonly status: 'loading'
  /** There is no session yet. */
  readonly data: null
}

/** The state of the session. */
export type SessionState<S = Session> = Authenticated<S> | Unauthenticated | Loading

/** The state of a page. A component names the type of the session that it reads. */
type StoredState = SessionState<ReturnedSession>

/** The time after which a page without any state retries, in milliseconds. */
const retryAfter = 10_000

/** The longest timer, in milliseconds: about 25 days. Browsers run longer ones at once. */
const maxTimerDelay = 2 ** 31 - 1

/** The session of a page. */
export class SessionStore {
  /** The state with which the server rendered the page. */
  readonly initial: StoredState
  #state: StoredState
  /** The last session that was passed, as text. */
  #given: string | undefined
  #asked = 0
  #shown = 0
  #open = 0
  readonly #subscribers = new Set<() => void>()

  constructor(session: ReturnedSession | null | undefined) {
    this.initial = toSessionState(session)
    this.#state = this.initial
    this.#given = JSON.stringify(session)
  }

  readonly read = (): StoredState => this.#state

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  /** Starts to fetch and to listen, until the returned function is called. */
  start(): () => void {
    const stops = [onChange((change) => this.#hear(change)), onEvents(['online'], this.refresh)]
    if (this.#state.status === 'loading') this.refresh()
    else notifyOtherPages(this.#state.data !== null)
    const retry = setInterval(() => {
      if (this.#state.status === 'loading') this.refresh()
      else clearInterval(retry)
    }, retryAfter)
    return () => {
      for (const stop of stops) stop()
      clearInterval(retry)
    }
  }

  /** Fetches the session, unless that is under way. The other pages are notified of a change. */
  readonly refresh = (): void => {
    if (this.#open > 0) return
    const { status } = this.#state
    void this.#ask().then(() => {
      if (this.#state.status !== status) notifyOtherPages(this.#state.data !== null)
    })
  }

  /** Fetches when the user returns to the page. */
  refreshOnFocus(): () => void {
    return onEvents(['visibilitychange', 'focus'], () => {
      if (page.document?.visibilityState === 'visible') this.refresh()
    })
  }

  /** Fetches at an interval while there is a session. */
  refreshEvery(seconds: number, whenOffline: boolean): () => void {
    const timer = setInterval(
      () => {
        if (this.#state.data !== null && (whenOffline || page.navigator?.onLine !== false)) this.refresh()
      },
      Math.min(seconds * 1000, maxTimerDelay),
    )
    return () => clearInterval(timer)
  }

  /** Uses a session that the server has rendered again. */
  adopt(session: ReturnedSession | null | undefined): void {
    const text = JSON.stringify(session)
    if (session === undefined || text === this.#given) return
    this.#given = text
    this.#show(++this.#asked, toSessionState(session))
  }

  /** Applies a change. Other pages were already notified of it. */
  #hear({ session, signedIn }: SessionChange): Promise<void> | void {
    const { status, data } = this.#state
    if (session !== undefined) return this.#show(++this.#asked, toSessionState(session))
    const isKnown = status !== 'loading' && signedIn === (data !== null)
    if (!isKnown || this.#open > 0) return this.#ask()
  }

  async #ask(): Promise<void> {
    const number = ++this.#asked
    this.#open += 1
    const state = await getSession().then(toSessionState, (error: ClientError) => ({ ...this.#state, error }))
    this.#open -= 1
    this.#show(number, state)
  }

  /** Shows a state, unless a later request was answered first. */
  #show(number: number, state: StoredState): void {
    const { status, data, error } = this.#state
    if (number < this.#shown) return
    this.#shown = number
    if (state.error === error && JSON.stringify(state.data) === JSON.stringify(data) && state.status === status) return
    this.#state = state
    for (const subscriber of this.#subscribers) subscriber()
  }
}

function toSessionState(session: ReturnedSession | null | undefined): StoredState {
  if (session === undefined) return { status: 'loading', data: null, update }
  return session
    ? { status: 'authenticated', data: session, update }
    : { status: 'unauthenticated', data: null, update }
}
