/**
 * The fields of a rejected form, except passwords, or the email address of the first form, for the page that is shown
 * next. They must not be in a URL (histories, logs), so they are in a cookie: sealed, for this sign-in page only, for a
 * minute, and bound to the CSRF token of this browser, which another site cannot set.
 */

import { isRecord } from '../base/guards.js'
import type { AuthContext } from '../contracts/index.js'
import { seal, unseal } from '../crypto/seal.js'
import { mayShowAgain } from '../pages/index.js'
import { csrfTokenForForm } from '../session/csrf.js'
import type { CookieOption } from '../types/cookies.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { requestedProvider } from './requested-provider.js'

/** The fields that are shown again. */
export interface TypedFields {
  /** The provider of the form; absent for the form that asks for the email address first. */
  readonly provider?: string
  readonly fields: Readonly<Record<string, string>>
}

/** In seconds. */
const typedFieldsMaxAge = 60
/** The maximum length of one field in characters, that of an email address (RFC 5321 §4.5.3.1.3); and of all fields. */
const maxField = 254
const maxTotal = 1024

/** Stores the typed fields if our own form was rejected and our own page is shown next. */
export async function storeTypedFields(context: AuthContext): Promise<void> {
  // Forms about passwords are shown again at once; the next part of their path is not a provider.
  if (context.request.action === 'signup' || context.request.action === 'password') return
  const provider = requestedProvider(context)
  if (provider?.kind !== 'credentials' && provider?.kind !== 'email') return
  const inputs = provider.kind === 'email' ? { email: { type: 'email' } } : provider.credentials
  await storeFields(context, context.urls.endpoint('callback', provider.id), inputs)
}

/** Stores the email address for the page with the sign-in methods. */
export async function storeIdentifier(context: AuthContext): Promise<void> {
  await storeFields(context, context.urls.endpoint('signin'), { identifier: { type: 'text' } })
}

async function storeFields(context: AuthContext, at: string, inputs: Inputs): Promise<void> {
  const { request, urls, cookies, config } = context
  if (request.body.navigation !== 'form' || urls.customPage('signIn') !== undefined) return
  const fields = harmlessFields(inputs, request.body)
  if (Object.keys(fields).length === 0) return
  const payload = { at, csrfToken: csrfTokenForForm(context), fields }
  cookies.set(
    typedFieldsCookie(context, { maxAge: typedFieldsMaxAge }),
    await seal('typed-fields', payload, { secrets: config.secrets, maxAge: typedFieldsMaxAge }),
  )
}

type Inputs = Readonly<Record<string, CredentialInput>>

/** Returns and deletes the fields that were typed a moment ago. */
export async function takeTypedFields(context: AuthContext, csrfToken: string): Promise<TypedFields | undefined> {
  const { request, urls, cookies, config } = context
  const cookie = typedFieldsCookie(context)
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

/** Returns the cookie, at the path of the sign-in page. */
export function typedFieldsCookie({ cookiePolicy, urls }: AuthContext, own: { maxAge?: number } = {}): CookieOption {
  const { name, options } = cookiePolicy.typedFields
  return { name, options: { ...options, ...own, path: new URL(urls.endpoint('signin')).pathname } }
}

function harmlessFields(inputs: Inputs, body: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept = Object.entries(inputs).flatMap(([field, input]): Array<[string, string]> => {
    const typed = Object.hasOwn(body, field) ? body[field] : undefined
    const fits = typeof typed === 'string' && typed.trim() !== '' && typed.length <= maxField
    return fits && mayShowAgain(field, input) ? [[field, typed]] : []
  })
  return JSON.stringify(kept).length <= maxTotal ? Object.fromEntries(kept) : {}
}
