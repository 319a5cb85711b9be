/** What a page knows of its session, kept up to date. Without React, for `react.ts`. */
import type { Session } from '../types/session.js'
import { type Change, onChange, tellOtherPages } from './changes.js'
import { onEvents, page } from './page.js'
import type { ClientError } from './request.js'
import { getSession, update } from './session.js'

/** Asks for a change of the session, or reads it again where there is no data. */
export type UpdateSession = (data?: unknown) => Promise<Session | null>

/** What all three cases have. */
interface State {
  /** Asks the server for a change of the session, or, without data, reads it again. Resolves to the session as it is then. */
  readonly update: UpdateSession
  /** Why the session could not be read the last time; what was known before stands. */
  readonly error?: ClientError | undefined
}

/** Somebody is signed in. */
export interface Authenticated<S = Session> extends State {
  /** Tells the three cases apart. */
  readonly status: 'authenticated'
  /** The session. */
  readonly data: S
}

/** Nobody is signed in. */
export interface Unauthenticated extends State {
  /** Tells the three cases apart. */
  readonly status: 'unauthenticated'
  /** There is no session. */
  readonly data: null
}

/** The server has not answered yet. */
export interface Loading extends State {
  /** Tells the three cases apart. */
  readonly status: 'loading'
  /** There is no session yet. */
  readonly data: null
}

/** What is known of the session. */
export type SessionState<S = Session> = Authenticated<S> | Unauthenticated | Loading

/** Milliseconds after which a page that knows nothing yet asks again. */
const retryAfter = 10_000

/** Milliseconds: about 25 days. Browsers take more for nothing at all. */
const longestTimer = 2 ** 31 - 1

/** The session of a page. */
export class SessionStore {
  /** What the server rendered the page with. */
  readonly initial: SessionState
  #state: SessionState
  /** The last session that was handed in, as text. */
  #given: string | undefined
  #asked = 0
  #shown = 0
  #open = 0
  readonly #subscribers = new Set<() => void>()

  constructor(session: Session | null | undefined) {
    this.initial = toState(session)
    this.#state = this.initial
    this.#given = JSON.stringify(session)
  }

  readonly read = (): SessionState => this.#state

  readonly subscribe = (subscriber: () => void): (() => void) => {
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  /** Begins to ask and to listen, until the function that it returns is called. */
  start(): () => void {
    const stops = [onChange((change) => this.#hear(change)), onEvents(['online'], this.refresh)]
    if (this.#state.status === 'loading') this.refresh()
    else tellOtherPages(this.#state.data !== null)
    const retry = setInterval(() => {
      if (this.#state.status === 'loading') this.refresh()
      else clearInterval(retry)
    }, retryAfter)
    return () => {
      for (const stop of stops) stop()
      clearInterval(retry)
    }
  }

  /** Asks the server, unless that is under way. The other pages learn who has come or gone. */
  readonly refresh = (): void => {
    if (this.#open > 0) return
    const { status } = this.#state
    void this.#ask().then(() => {
      if (this.#state.status !== status) tellOtherPages(this.#state.data !== null)
    })
  }

  /** Asks when the person comes back to the page. */
  refreshOnFocus(): () => void {
    return onEvents(['visibilitychange', 'focus'], () => {
      if (page.document?.visibilityState === 'visible') this.refresh()
    })
  }

  /** Asks every so many seconds while somebody is signed in. */
  refreshEvery(seconds: number, whenOffline: boolean): () => void {
    const timer = setInterval(
      () => {
        if (this.#state.data !== null && (whenOffline || page.navigator?.onLine !== false)) this.refresh()
      },
      Math.min(seconds * 1000, longestTimer),
    )
    return () => clearInterval(timer)
  }

  /** Takes over a session that the server has rendered anew. */
  adopt(session: Session | null | undefined): void {
    const text = JSON.stringify(session)
    if (session === undefined || text === this.#given) return
    this.#given = text
    this.#show(++this.#asked, toState(session))
  }

  /** Others know of this change already. */
  #hear({ session, signedIn }: Change): Promise<void> | void {
    const { status, data } = this.#state
    if (session !== undefined) return this.#show(++this.#asked, toState(session))
    const isKnown = status !== 'loading' && signedIn === (data !== null)
    if (!isKnown || this.#open > 0) return this.#ask()
  }

  async #ask(): Promise<void> {
    const number = ++this.#asked
    this.#open += 1
    const state = await getSession().then(toState, (error: ClientError) => ({ ...this.#state, error }))
    this.#open -= 1
    this.#show(number, state)
  }

  /** An answer never replaces that to a later question. */
  #show(number: number, state: SessionState): void {
    const { status, data, error } = this.#state
    if (number < this.#shown) return
    this.#shown = number
    if (state.error === error && JSON.stringify(state.data) === JSON.stringify(data) && state.status === status) return
    this.#state = state
    for (const subscriber of this.#subscribers) subscriber()
  }
}

function toState(session: Session | null | undefined): SessionState {
  if (session === undefined) return { status: 'loading', data: null, update }
  return session
    ? { status: 'authenticated', data: session, update }
    : { status: 'unauthenticated', data: null, update }
}
