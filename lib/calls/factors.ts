/** Second factors on pages of the application's own: what both doors share. */
import { isRecord } from '../base/guards.js'
import { InvalidCode, InvalidRequest } from '../errors.js'
import type { ConfirmedFactor, FactorConfirmation, FactorSetup, FactorSetupOf } from '../types/factors.js'
import type { Call } from './call.js'

/** Begins to add a factor. */
export async function enrolBy<T extends FactorSetup['factor']>(call: Call, type: T): Promise<FactorSetupOf<T>> {
  const data = await call.factors({ type, body: { intent: 'setup-begin' } })
  const { asksFor: _question, ...setup } = isRecord(data) ? data : {}
  return setup as unknown as FactorSetupOf<T>
}

/** Adds it, by its first code. */
export async function confirmBy(call: Call, { type, ...typed }: FactorConfirmation): Promise<ConfirmedFactor> {
  try {
    const data = await call.factors({ type, body: { ...typed, intent: 'setup' } })
    return { confirmed: true, ...codesIn(data) }
  } catch (error) {
    if (error instanceof InvalidCode) return { confirmed: false }
    throw error
  }
}

/** Removes one. `false` where there is none. */
export async function removeBy(call: Call, id: string): Promise<boolean> {
  try {
    await call.factors({ body: { intent: 'remove', id } })
    return true
  } catch (error) {
    if (error instanceof InvalidRequest && error.status === 404) return false
    throw error
  }
}

/** New recovery codes. */
export async function newCodesBy(call: Call): Promise<readonly string[]> {
  return codesIn(await call.factors({ type: 'recovery', body: { intent: 'codes' } })).recoveryCodes ?? []
}

function codesIn(data: unknown): { recoveryCodes?: readonly string[] } {
  return isRecord(data) && Array.isArray(data.recoveryCodes) ? { recoveryCodes: data.recoveryCodes } : {}
}
