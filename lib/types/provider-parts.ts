/** The options that providers of several types share. */
import type { ProviderType } from './provider-ids.js'

/** The options that all providers share. */
export interface CommonProviderOptions {
  /** The id, unique in `providers`, and part of the URLs. */
  id: string
  /** The name on the sign-in page. */
  name: string
  /** The type: `oidc`, `oauth`, `email`, `credentials` or `webauthn`. */
  type: ProviderType
}

/** A part of a mark with its own colour. */
export interface MarkLayer {
  /** The data of an SVG path in a 24 by 24 square. */
  path: string
  /** The colour, as `#rgb` or `#rrggbb`. */
  color: string
}

/** The look of the provider's button on the sign-in page. */
export interface OAuthProviderButtonStyles {
  /** The URL of a logo. */
  logo?: string
  /**
   * The mark in a 24 by 24 square: the data of one SVG path, drawn in one colour on `brandColor`, or paths with their
   * own colours, drawn over each other on white. Not in Auth.js.
   */
  mark?: string | readonly MarkLayer[]
  /** The colour, as `#rgb` or `#rrggbb`. */
  brandColor?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
  /** @deprecated The text colour is chosen for contrast. */
  text?: string
}

/** An input of a credentials form: attributes of the HTML `input`, and its label. */
export interface CredentialInput {
  /** The label. Default: the field's name. */
  label?: string
  /** The label in the languages of `i18n`: `{ de: 'Personalnummer', fr: 'Matricule' }`. Default: `label`. */
  labels?: Readonly<Record<string, string>>
  /** The input's HTML type, such as `password` or `email`. Default: by the field's name, or `text`. */
  type?: string
  /** The example in an empty input. */
  placeholder?: string
  /** The initial value. */
  value?: string
  /** `false` if the input may be empty on the built-in page. Default `true`, except for checkboxes. */
  required?: boolean
  /** The autofill hint for browsers and password managers, such as `username` or `one-time-code` (HTML, "Autofill"). */
  autocomplete?: string
  /**
   * Allows any JSON value: a number, a boolean, an array, an object. `authorize` must then validate it. Default: the
   * provider's `json`, or `false`: values other than text are rejected with `CredentialsSignin`. Not in Auth.js.
   */
  json?: boolean
  [attribute: string]: unknown
}
