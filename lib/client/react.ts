'use client'
/**
 * `server-auth/react`: the session of a page in React, and all of `server-auth/client`.
 *
 * @example
 * ```tsx
 * <SessionProvider>
 *   <App />
 * </SessionProvider>
 *
 * function Greeting() {
 *   const { data, status } = useSession()
 *   if (status === 'loading') return null
 *   return data ? <button onClick={() => signOut()}>Bye, {data.user?.name}</button> : <button onClick={() => signIn()}>Sign in</button>
 * }
 * ```
 */
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ReturnedSession, Session } from '../types/session.js'
import { currentUrl, navigateTo } from './page.js'
import { configureClient, pageUrl } from './request.js'
import { type Authenticated, type Loading, type SessionState, SessionStore } from './session-store.js'

export {
  type AppProvider,
  ClientError,
  type ClientOptions,
  configureClient,
  getCsrfToken,
  getProviders,
  getSession,
  type ProviderId,
  type Session,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  type SignOutParams,
  type SignOutResponse,
  signIn,
  signOut,
  update,
} from './index.js'
export type { UpdateSession } from './session-store.js'

const StoreContext = createContext<SessionStore | undefined>(undefined)

/** Props of {@link SessionProvider}. */
export interface SessionProviderProps {
  /** The components that can use the session. */
  children?: ReactNode
  /**
   * The session with which the server rendered the page; `null` without one. The page then starts without a request,
   * and uses each newly rendered session. Default: the session is fetched.
   */
  session?: ReturnedSession | null | undefined
  /** The path of the endpoints. Default: `/api/auth` in pages of Next.js, otherwise `/auth`. */
  basePath?: string | undefined
  /** The origin of the endpoints, if it is another one of the same site. Default: that of the page. */
  baseUrl?: string | undefined
  /** The interval in seconds at which the session is fetched again, while there is one. Default 0: never. */
  refetchInterval?: number | undefined
  /** Fetch the session again when the user returns to the page. Default `true`. */
  refetchOnWindowFocus?: boolean | undefined
  /** `false`: `refetchInterval` pauses while the browser is offline. */
  refetchWhenOffline?: boolean | undefined
}

/** Provides the session to all components below it. */
export function SessionProvider({
  children,
  session,
  basePath,
  baseUrl,
  refetchInterval = 0,
  refetchOnWindowFocus = true,
  refetchWhenOffline = true,
}: SessionProviderProps): ReactElement {
  const [store] = useState(() => new SessionStore(session))
  // Runs before the effects of components below, which may send requests; and never on a server, which has many users.
  useInsertionEffect(() => {
    if (basePath !== undefined) configureClient({ basePath })
    if (baseUrl !== undefined) configureClient({ baseUrl })
  }, [basePath, baseUrl])
  useEffect(() => store.start(), [store])
  useEffect(() => store.adopt(session), [store, session])
  useEffect(() => (refetchOnWindowFocus ? store.refreshOnFocus() : undefined), [store, refetchOnWindowFocus])
  useEffect(
    () => (refetchInterval > 0 ? store.refreshEvery(refetchInterval, refetchWhenOffline) : undefined),
    [store, refetchInterval, refetchWhenOffline],
  )
  return createElement(StoreContext.Provider, { value: store }, children)
}

/** Options of {@link useSession}. */
export interface UseSessionOptions<Required extends boolean = boolean> {
  /** True if the component requires a session: without one the user is redirected to the sign-in page. */
  required: Required
  /** Called instead of the redirect to the sign-in page. */
  onUnauthenticated?: (() => void) | undefined
}

/** The return type of {@link useSession}. With `required`, the status is never `unauthenticated`. */
export type SessionContextValue<Required extends boolean = false, S = Session> = Required extends true
  ? Authenticated<S> | Loading
  : SessionState<S>

/**
 * Returns the session, and a function to change it. An outage changes neither `data` nor `status`; it sets `error`.
 *
 * @example
 * ```ts
 * const { data, status, update } = useSession()
 * const { data: session } = useSession({ required: true })
 * const { data: staff } = useSession<StaffSession>() // what your `session` callback returns; nothing checks it here
 * ```
 */
export function useSession<S = Session>(options: UseSessionOptions<true>): SessionContextValue<true, S>
/**
 * Returns the session, and a function to change it, for components without `required`. Throws outside of a
 * `SessionProvider`.
 */
export function useSession<S = Session>(options?: UseSessionOptions): SessionContextValue<false, S>
// Last, because `ReturnType` of a generic function would not contain the session.
/** Returns the session, and a function to change it. Throws outside of a `SessionProvider`. */
export function useSession(options?: UseSessionOptions): SessionContextValue
export function useSession({
  required = false,
  onUnauthenticated,
}: Partial<UseSessionOptions> = {}): SessionState<ReturnedSession> {
  const store = useContext(StoreContext)
  if (!store) throw new Error('useSession needs a <SessionProvider> above it')
  const state = useSyncExternalStore(store.subscribe, store.read, () => store.initial)
  const isRejected = required && state.status === 'unauthenticated'
  const onRejected = useRef(onUnauthenticated)
  useEffect(() => {
    onRejected.current = onUnauthenticated
  })
  useEffect(() => {
    if (isRejected) (onRejected.current ?? goToSignIn)()
  }, [isRejected])
  return isRejected ? { ...state, status: 'loading' } : state
}

function goToSignIn(): void {
  navigateTo(pageUrl('signin', { error: 'SessionRequired', callbackUrl: currentUrl() }))
}
