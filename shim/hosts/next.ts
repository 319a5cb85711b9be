/**
 * The shim bound to Next.js (`server-auth/next`): App Router, route handlers, server actions, `proxy.ts`, Pages Router.
 * @example
 * ```ts
 * // auth.ts
 * import initAuth from 'server-auth/next'
 * import GitHub from 'server-auth/providers/github'
 * export const { handlers, auth, signIn, signOut } = initAuth({ providers: [GitHub] })
 * // app/api/auth/[...auth]/route.ts
 * import { handlers } from '@/auth'
 * export const { GET, POST } = handlers
 * ```
 */
import type { NextRequest } from 'next/server.js'
import type { ApiKeyScopeOf } from '../../lib/features/api-keys/types.js'
import type { OrganizationRolesOf } from '../../lib/features/organizations/types.js'
import type { SessionOf, StoredUserOf } from '../../lib/get-session.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuthOn from '../index.js'
import type { ConfigArgument, FullStackAuthResult } from '../types.js'
import { nextHost } from './next-host.js'

export * from '../index.js'

/**
 * Sets up authentication for a Next.js application: `initAuth` of `server-auth/shim`, with Next.js as its host.
 * @throws {@link AuthError} for a value that is not a configuration. Secret and environment are read at the first
 *   request, so a build needs none.
 */
export default function initAuth<
  const C extends FullStackAuthConfig<Fields, Shown>,
  Fields = unknown,
  Shown extends string = never,
>(
  config: ConfigArgument<C, Fields, Shown>,
): FullStackAuthResult<SessionOf<C>, NextRequest, StoredUserOf<C>, OrganizationRolesOf<C>, ApiKeyScopeOf<C>> {
  return initAuthOn<C, NextRequest, Fields, Shown>(config, nextHost)
}
