/** An application in React that says who is signed in. Rendered on the server too. */
import { createElement, type ReactElement, StrictMode, useEffect } from 'react'
import { getSession, SessionProvider, type SessionProviderProps, useSession } from '../../../lib/client/react.js'

/** The options of the application. They are sent as JSON. */
export interface AppProps {
  readonly provider?: Omit<SessionProviderProps, 'children'>
  readonly strict?: boolean
  readonly required?: boolean
  /** Passes `onUnauthenticated`, another function at each rendering. */
  readonly note?: boolean
  /** Requests the session in an effect of its own, at the beginning. */
  readonly early?: boolean
}

declare global {
  /** The rendered texts, without repetitions. */
  var seen: string[] | undefined
  /** The number of calls of `onUnauthenticated`. */
  var refused: number | undefined
  /** The number of renderings. */
  var renderings: number | undefined
  /** `error` of the hook. */
  var sessionError: { type: string; status: number } | undefined
  /** `update` of the hook. */
  var updateSession: ((data?: unknown) => Promise<unknown>) | undefined
}

/** The application. React runs effects twice only where `StrictMode` is the outermost element. */
export function application({ provider, strict = false, ...view }: AppProps): ReactElement {
  const tree = createElement(SessionProvider, provider, createElement(View, view))
  return strict ? createElement(StrictMode, null, tree) : tree
}

function View({ required = false, note = false, early = false }: AppProps): ReactElement {
  const count = () => {
    globalThis.refused = (globalThis.refused ?? 0) + 1
  }
  const { data, status, error, update } = useSession({ required, onUnauthenticated: note ? count : undefined })
  globalThis.renderings = (globalThis.renderings ?? 0) + 1
  globalThis.sessionError = error && { type: error.type, status: error.status }
  useEffect(() => {
    if (early) getSession().catch(() => {})
  }, [early])
  const text = `${status}: ${data?.user?.name ?? 'nobody'}`
  if (globalThis.seen?.at(-1) !== text) globalThis.seen?.push(text)
  globalThis.updateSession = update
  return createElement('h1', null, text)
}
