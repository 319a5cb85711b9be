/** Type tests: the APIs of providers. Compiled, never run. */

import type { Request } from 'express'
import { type ConsentReason, ConsentRequired, NotConnected, RefreshError } from '../../lib/errors.js'
import type { ProviderToken } from '../../lib/features/tokens/index.js'
import { defineAuth, type Outcome, type SessionGuard, type SignedInSession } from '../../lib/index.js'
import Google from '../../lib/providers/google.js'
import initAuth from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

declare const req: Request

export async function functions(): Promise<void> {
  const auth = defineAuth({ providers: [Google], tokens: { store: 'cookie' } })
  const token = await auth.tokens.get(req, { provider: 'google', scope: ['calendar'] })
  assertType<Equal<typeof token, ProviderToken>>()
  assertType<Equal<typeof token.expiresAt, Date | null>>()
  const job = await auth.tokens.get({ userId: 'ada' }, { provider: 'an-id-of-mine' })
  assertType<Equal<typeof job.scope, readonly string[]>>()
  const send = auth.tokens.fetch({ userId: 'ada' }, { provider: 'google' })
  assertType<Equal<typeof send, typeof fetch>>()
  const guard = auth.tokens.requireConnection({ provider: 'google' })
  assertType<Equal<typeof guard, SessionGuard<SignedInSession>>>()
  const outcome = await initAuth({ providers: [Google] }).tokens.disconnect({ provider: 'google' })
  assertType<Equal<typeof outcome, Outcome<'unknown', { readonly revoked: boolean }>>>()
  // @ts-expect-error: a list
  await auth.tokens.get(req, { provider: 'google', scope: 'calendar' })
  // @ts-expect-error: of which provider?
  await auth.tokens.get(req, {})
  // @ts-expect-error: a connection begins in a request
  await auth.tokens.connectUrl({ userId: 'ada' }, { provider: 'google' })
}

export function errors(error: unknown): string {
  if (error instanceof NotConnected) {
    assertType<Equal<typeof error.reason, 'session' | 'account' | 'several'>>()
    return error.provider
  }
  if (error instanceof ConsentRequired) {
    assertType<Equal<typeof error.reason, ConsentReason>>()
    assertType<Equal<ConsentReason, 'account' | 'denied' | 'expired' | 'refused' | 'scope' | 'unreadable'>>()
    return error.provider
  }
  return error instanceof RefreshError && error.retryable ? 'later' : 'never'
}

export function wrong(): void {
  // @ts-expect-error: no store of that name
  defineAuth({ providers: [Google], tokens: { store: 'cookies' } })
  // @ts-expect-error: the store is in an object
  defineAuth({ providers: [Google], tokens: true })
  // @ts-expect-error: misspelt
  defineAuth({ providers: [Google], tokens: { stor: 'cookie' } })
}
