/**
 * The names that fragments of code for Next.js, Hono and other Fetch servers use without a definition. See
 * `scripts/check-snippets.mjs`.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { redirect } from 'next/navigation.js'
import { memoryAdapter } from 'server-auth/adapters/memory'
import GitHub from 'server-auth/providers/github'
import initAuth, { type ServerAuthConfig, withRequest } from 'server-auth/shim'

export { AccessDenied, CredentialsSignin, TooManyRequests } from 'server-auth/errors'
export { GitHub, initAuth, redirect, serve, withRequest }

export const app = new Hono()
export const config = {
  providers: [GitHub],
  adapter: memoryAdapter(),
  session: { data: true },
} satisfies ServerAuthConfig
export const {
  auth,
  handlers,
  sessions,
  account,
  users,
  passwords,
  factors,
  tokens,
  signIn,
  signOut,
  startSession,
  unstable_update,
} = initAuth(config)

export const calendar = { provider: 'google', scope: ['https://www.googleapis.com/auth/calendar.readonly'] }
export declare const name: string
export declare const redConfig: ServerAuthConfig
export declare const blueConfig: ServerAuthConfig
export declare const mainConfig: ServerAuthConfig
export declare const configOf: (host: string) => Promise<ServerAuthConfig>
export declare const codes: { use(code: unknown): Promise<string | null> }
export declare const Dashboard: (props: { of: unknown }) => null
export declare const framework: {
  request(): Request
  cookies(): { toString(): string }
  canSetCookies(): boolean
  setCookie(name: string, value: string, options: unknown): void
  redirect(url: string): never
  error(status: number): never
}
