/**
 * What a person typed into a form that was refused, except passwords, or into the one that asks for the address first, for the page
 * that is shown next. It may
 * stand in no URL (histories, logs), so it waits in a cookie: sealed, for this sign-in page only, for a minute, and bound to
 * the CSRF token of this browser, which another site cannot set.
 */

import { isRecord } from '../base/guards.js'
import type { AuthContext } from '../contracts/index.js'
import { seal, unseal } from '../crypto/seal.js'
import { keepsTyped } from '../pages/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import type { CookieOption } from '../types/cookies.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { requestedProvider } from './request.js'

/** What is shown again. */
export interface TypedFields {
  /** The form; absent for the one that asks who somebody is, before all others. */
  readonly provider?: string
  readonly fields: Readonly<Record<string, string>>
}

/** Seconds. */
const maxAge = 60
/** Characters of one field, the most that an address has (RFC 5321 §4.5.3.1.3); and of all of them. */
const maxField = 254
const maxTotal = 1024

/** Remembers what was typed, where our own form was refused and our own page is shown next. */
export async function keepTyped(context: AuthContext): Promise<void> {
  // Forms about passwords are shown again at once; what follows in their path is no provider.
  if (context.request.action === 'signup' || context.request.action === 'password') return
  const provider = requestedProvider(context)
  if (provider?.kind !== 'credentials' && provider?.kind !== 'email') return
  const inputs = provider.kind === 'email' ? { email: { type: 'email' } } : provider.credentials
  await keep(context, context.urls.endpoint('callback', provider.id), inputs)
}

/** Remembers who somebody says they are, for the page with the ways to sign in. */
export async function keepIdentifier(context: AuthContext): Promise<void> {
  await keep(context, context.urls.endpoint('signin'), { identifier: { type: 'text' } })
}

async function keep(context: AuthContext, at: string, inputs: Inputs): Promise<void> {
  const { request, urls, cookies, config } = context
  if (request.body.navigation !== 'form' || urls.customPage('signIn') !== undefined) return
  const fields = harmlessFields(inputs, request.body)
  if (Object.keys(fields).length === 0) return
  const payload = { at, csrfToken: csrfTokenFor(context), fields }
  cookies.set(cookieOf(context, { maxAge }), await seal('typed-fields', payload, { secrets: config.secrets, maxAge }))
}

type Inputs = Readonly<Record<string, CredentialInput>>

/** What was typed a moment ago, once. */
export async function takeTyped(context: AuthContext, csrfToken: string): Promise<TypedFields | undefined> {
  const { request, urls, cookies, config } = context
  const cookie = cookieOf(context)
  const sealed = cookies.get(cookie.name)
  if (sealed === undefined || request.method === 'HEAD') return undefined
  cookies.clear(cookie)
  const payload = await unseal('typed-fields', sealed, config.secrets)
  if (!payload || payload.csrfToken !== csrfToken || !isRecord(payload.fields)) return undefined
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  const fields = Object.fromEntries(Object.entries(payload.fields).filter(isText))
  if (payload.at === urls.endpoint('signin')) return { fields }
  const provider = [...config.providers.keys()].find((id) => payload.at === urls.endpoint('callback', id))
  return provider === undefined ? undefined : { provider, fields }
}

/** The cookie, at the path of the sign-in page. */
export function cookieOf({ cookiePolicy, urls }: AuthContext, own: { maxAge?: number } = {}): CookieOption {
  const { name, options } = cookiePolicy.typedFields
  return { name, options: { ...options, ...own, path: new URL(urls.endpoint('signin')).pathname } }
}

function harmlessFields(inputs: Inputs, body: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept = Object.entries(inputs).flatMap(([field, input]): Array<[string, string]> => {
    const typed = Object.hasOwn(body, field) ? body[field] : undefined
    const fits = typeof typed === 'string' && typed.trim() !== '' && typed.length <= maxField
    return fits && keepsTyped(field, input) ? [[field, typed]] : []
  })
  return JSON.stringify(kept).length <= maxTotal ? Object.fromEntries(kept) : {}
}
