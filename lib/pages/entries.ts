/** The ways to sign in, as a page shows them. */
import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider-parts.js'
import type { PasskeyForm } from './passkey-form.js'

interface EntryBase {
  readonly id: string
  readonly name: string
  /** URL that the form is posted to. */
  readonly action: string
}

/** A way to sign in: a button that leads to a provider, a form of ours, or a passkey. */
export type SignInEntry =
  | (EntryBase & { readonly kind: 'redirect'; readonly style: OAuthProviderButtonStyles })
  | (EntryBase & {
      readonly kind: 'credentials'
      readonly inputs: Readonly<Record<string, CredentialInput>>
      /** What the person typed before it was refused, by field. */
      readonly typed?: Readonly<Record<string, string>> | undefined
      /** Where a forgotten password is replaced, and where who is new signs up. */
      readonly forgotUrl?: string | undefined
      readonly signUpUrl?: string | undefined
    })
  | (EntryBase & { readonly kind: 'email'; readonly typed?: Readonly<Record<string, string>> | undefined })
  | (PasskeyForm & { readonly kind: 'passkey' })
  | AddressForm

/** The form that asks who somebody is, before the ways to sign in that want to know it. */
export interface AddressForm {
  readonly kind: 'address'
  readonly id: 'address'
  /** What it asks for, as the input of a credentials form says it; absent where every way wants an e-mail address. */
  readonly input?: { readonly label?: string; readonly labels?: Readonly<Record<string, string>> }
  readonly name: ''
  /** URL that the form is posted to. */
  readonly action: string
}
