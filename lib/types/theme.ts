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
  /** Radius of the corners of cards, buttons and inputs, in pixels: 0 to 32. Default 16 for cards, 10 for the rest. */
  radius?: number
  /** Fonts of the pages and mails, as CSS lists them: `Inter, Arial`. They must be installed: no page loads one. Default: the system's. */
  font?: string
  /** CSS rules that follow the pages' own, which may change with any version. They load nothing: the pages' policy forbids it. */
  css?: string
  /** A button beside each password that shows it. It needs a script on the page, which has none otherwise. Default `false`. */
  showPassword?: boolean
  /**
   * Asks for the address first where several ways to sign in want one, and shows these ways after that: the same for every address,
   * so that nobody learns which ones are known. Default `false`: all ways on one page.
   */
  identifierFirst?: boolean
}
