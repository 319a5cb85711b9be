/**
 * The version of `server-auth/next` for the edge runtime of Next.js (`middleware.ts`): `auth` for JWT sessions. It has
 * the same import name as `./next.ts`: conditions of `package.json` choose between them.
 */
import type { NextRequest } from 'next/server.js'
import type { ApiKeyScopeOf } from '../../lib/features/api-keys/types.js'
import type { OrganizationRolesOf } from '../../lib/features/organizations/types.js'
import type { SessionOf, StoredUserOf } from '../../lib/get-session.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuthOn from '../edge.js'
import type { ConfigArgument, FullStackAuthResult } from '../types.js'
import { nextHost } from './next-host.js'

export * from '../edge.js'

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
