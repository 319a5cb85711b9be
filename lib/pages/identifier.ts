/**
 * Identifier first: the page asks who somebody is, and shows on the next one every way to sign in that wants to know it. It is the
 * same for every address, and nothing is looked up in between, so that a stranger learns nothing of an address.
 */
import type { AddressForm, SignInEntry } from './entries.js'
import { identifyingField } from './input.js'

/** Whether a way to sign in begins with an address. */
export function wantsAddress(entry: SignInEntry): boolean {
  return addressField(entry) !== undefined
}

/** The field of a way to sign in that an address, or a name, goes into. */
export function addressField(entry: SignInEntry): string | undefined {
  switch (entry.kind) {
    case 'email':
      return 'email'
    case 'credentials':
      return identifyingField(entry.inputs)
    case 'passkey':
      return Object.hasOwn(entry.inputs, 'email') ? 'email' : undefined
    default:
      return undefined
  }
}

/** The first page: one form in the place of all that want an address. Passkeys that are found without one stay. */
export function askFirst(entries: readonly SignInEntry[], action: string): SignInEntry[] {
  const first = entries.find(wantsAddress)
  return entries.flatMap((entry): SignInEntry[] => {
    const kept = remainder(entry)
    return entry === first ? [...kept, { kind: 'address', id: 'address', name: '', action, ...inputOf(entries) }] : kept
  })
}

function remainder(entry: SignInEntry): SignInEntry[] {
  if (!wantsAddress(entry)) return [entry]
  return entry.kind === 'passkey' && !entry.sendsEmail ? [{ ...entry, inputs: {} }] : []
}

/** A name that is no address is asked for as the developer calls it. */
function inputOf(entries: readonly SignInEntry[]): Pick<AddressForm, 'input'> {
  for (const entry of entries) {
    const field = entry.kind === 'credentials' ? identifyingField(entry.inputs) : undefined
    const input = entry.kind === 'credentials' && field !== undefined ? entry.inputs[field] : undefined
    if (!input || field === undefined || input.type === 'email' || /mail/i.test(field)) continue
    const { label = field, labels } = input
    return { input: { label, ...(labels && { labels }) } }
  }
  return {}
}
