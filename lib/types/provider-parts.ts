/** What providers of several kinds have. */
import type { ProviderType } from './provider-ids.js'

/** What all providers have. */
export interface CommonProviderOptions {
  /** Unique in `providers`; part of the URLs. */
  id: string
  /** Shown on the sign-in page. */
  name: string
  /** How people sign in with it: `oidc`, `oauth`, `email`, `credentials` or `webauthn`. */
  type: ProviderType
}

/** A part of a mark that has colours of its own. */
export interface MarkLayer {
  /** Data of an SVG path in a square of 24. */
  path: string
  /** `#rgb` or `#rrggbb`. */
  color: string
}

/** Look of the provider's button on the sign-in page. */
export interface OAuthProviderButtonStyles {
  /** URL of a logo. */
  logo?: string
  /**
   * Ours: the mark, in a square of 24: data of one SVG path, drawn in one colour on `brandColor`; or paths with colours of
   * their own, drawn one over the other on white.
   */
  mark?: string | readonly MarkLayer[]
  /** Colour, as `#rgb` or `#rrggbb`. */
  brandColor?: string
  /** @deprecated Use `brandColor`. */
  bg?: string
  /** @deprecated The text colour is chosen for contrast. */
  text?: string
}

/** One input of a credentials form: attributes of the HTML `input`, and its label. */
export interface CredentialInput {
  /** What stands beside the input. Default: the field's name. */
  label?: string
  /** The same in the languages of `i18n`, by their tags: `{ de: 'Personalnummer', fr: 'Matricule' }`. Default: `label`. */
  labels?: Readonly<Record<string, string>>
  /** The input's HTML type, such as `password` or `email`. Default: by the field's name, else `text`. */
  type?: string
  /** What an empty input shows as an example. */
  placeholder?: string
  /** What the input holds at first. */
  value?: string
  /** `false`: may be left empty on the built-in page. Default `true` but for boxes to be ticked. */
  required?: boolean
  /** What browsers and password managers may fill in, such as `username` or `one-time-code` (HTML, "Autofill"). */
  autocomplete?: string
  /**
   * Ours: the field may have any JSON value: a number, a boolean, an array, an object. `authorize` must look at it closely
   * then. Default: the provider's `json`, else `false`: anything but text is refused with `CredentialsSignin`.
   */
  json?: boolean
  [attribute: string]: unknown
}
