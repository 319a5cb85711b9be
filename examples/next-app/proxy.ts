/** Runs before the pages that it matches: `callbacks.authorized` in `auth.ts` says who may see them. It keeps sessions alive. */
export { auth as proxy } from './auth'

export const config = { matcher: ['/account/:path*', '/settings/:path*'] }
