/**
 * Identifier first: the page asks for an email address or user name, and the next one shows every sign-in method that
 * needs it. It is the same for every address, and nothing is looked up in between, so that a stranger learns nothing
 * about an address.
 */

import { identifyingField } from './input.js'
import type { AddressForm, SignInEntry } from './sign-in-methods.js'

/** Checks whether a sign-in method starts with an address. */
export function wantsAddress(entry: SignInEntry): boolean {
  return addressField(entry) !== undefined
}

/** Returns the field of a sign-in method for an email address or a user name. */
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

/** The form of the first page. */
export interface IdentifierForm {
  readonly action: string
  /** True if an email address may lead to the identity provider of a company. Then the input is not for user names only. */
  readonly leadsToConnections: boolean
}

/**
 * Returns the entries of the first page: one form replaces all methods that need an address. Passkeys that need none
 * stay. Without such methods, the form is the last entry.
 */
export function withIdentifierForm(entries: readonly SignInEntry[], form: IdentifierForm): SignInEntry[] {
  const first = entries.find(wantsAddress)
  const address: AddressForm = {
    kind: 'address',
    id: 'address',
    name: '',
    action: form.action,
    ...userNameInput(entries, form),
  }
  if (!first) return [...entries, address]
  return entries.flatMap((entry): SignInEntry[] => {
    const kept = withoutAddressForms(entry)
    return entry === first ? [...kept, address] : kept
  })
}

function withoutAddressForms(entry: SignInEntry): SignInEntry[] {
  if (!wantsAddress(entry)) return [entry]
  return entry.kind === 'passkey' && !entry.sendsEmail ? [{ ...entry, inputs: {} }] : []
}

/**
 * Returns the sign-in methods of the second page, in this order: the method that was used last in this browser, passkeys,
 * passwords, email links. A name that is no email address leaves out the methods that need one.
 */
export function methodsForIdentifier(
  entries: readonly SignInEntry[],
  identifier: string,
  lastUsed: string | undefined,
): SignInEntry[] {
  const usable = identifier.includes('@') ? entries : entries.filter((entry) => !needsEmail(entry))
  const rank = (entry: SignInEntry) => (entry.id === lastUsed ? -1 : ranks.indexOf(entry.kind))
  return [...(usable.length > 0 ? usable : entries)].sort((one, other) => rank(one) - rank(other))
}

const ranks: ReadonlyArray<SignInEntry['kind']> = ['passkey', 'credentials', 'email']

/** Checks whether a sign-in method needs an email address, not just any name. */
function needsEmail(entry: SignInEntry): boolean {
  const field = addressField(entry)
  if (field === undefined) return false
  if (entry.kind !== 'credentials') return true
  return entry.inputs[field]?.type === 'email' || /mail/i.test(field)
}

/** Returns the input for a user name, with the developer's label. */
function userNameInput(
  entries: readonly SignInEntry[],
  { leadsToConnections }: IdentifierForm,
): Pick<AddressForm, 'input'> {
  for (const entry of entries) {
    if (entry.kind !== 'credentials' || needsEmail(entry)) continue
    const field = identifyingField(entry.inputs)
    const input = field === undefined ? undefined : entry.inputs[field]
    if (field === undefined || !input) continue
    const { label = field, labels } = input
    const isMixed = leadsToConnections || entries.some(needsEmail)
    return { input: { label, ...(labels && { labels }), ...(isMixed && { isMixed }) } }
  }
  return {}
}
