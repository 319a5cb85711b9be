/** The look of the built-in pages and mails. */

/** Look of the built-in pages. */
export interface Theme {
  /** Name of the site, as people know it: "Sign in to Acme". One line. Default: the site's host. */
  name?: string
  /** `auto` follows the browser's preference. Default `auto`. */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** URL of a logo, `https:` or a path on your own site. */
  logo?: string
  /** The logo on a dark background. Default: `logo`. */
  logoDark?: string
  /** Colour of the buttons, as `#rgb` or `#rrggbb`. */
  brandColor?: string
  /** Colour of the text on the buttons, as `#rgb` or `#rrggbb`. */
  buttonText?: string
}
