/** The sign-in methods on a page. */
import type { CredentialInput, OAuthProviderButtonStyles } from '../types/provider-parts.js'
import type { PasskeyForm } from './passkey-form.js'

interface EntryBase {
  readonly id: string
  readonly name: string
  /** The URL that the form is posted to. */
  readonly action: string
}

/** A sign-in method: a button for a provider, a form, or a passkey. */
export type SignInEntry =
  | (EntryBase & { readonly kind: 'redirect'; readonly style: OAuthProviderButtonStyles })
  | (EntryBase & {
      readonly kind: 'credentials'
      readonly inputs: Readonly<Record<string, CredentialInput>>
      /** The values that the user typed before the form was rejected, by field. */
      readonly typed?: Readonly<Record<string, string>> | undefined
      /** The URLs to reset a forgotten password, and to sign up. */
      readonly forgotUrl?: string | undefined
      readonly signUpUrl?: string | undefined
    })
  | (EntryBase & { readonly kind: 'email'; readonly typed?: Readonly<Record<string, string>> | undefined })
  | (PasskeyForm & { readonly kind: 'passkey' })
  | AddressForm

/** The form for the email address or user name, before the sign-in methods that need it. */
export interface AddressForm {
  readonly kind: 'address'
  readonly id: 'address'
  /** The label of the input, as for a credentials form; absent if every method needs an email address. */
  readonly input?: {
    readonly label?: string
    readonly labels?: Readonly<Record<string, string>>
    /** True if other methods need an email address. */
    readonly isMixed?: boolean
  }
  readonly name: ''
  /** The URL that the form is posted to. */
  readonly action: string
}
