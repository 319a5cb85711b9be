/** The look of the built-in pages and mails. */
export interface Theme {
  /** The name of the site, for "Sign in to Acme". One line. Default: the site's host. */
  name?: string
  /** The colour scheme. `auto` follows the browser's preference. Default `auto`. */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** The URL of a logo: `https:`, or a path on your own site. */
  logo?: string
  /** The logo on a dark background. Default: `logo`. */
  logoDark?: string
  /** The colour of the buttons, as `#rgb` or `#rrggbb`. */
  brandColor?: string
  /** The colour of the text on the buttons, as `#rgb` or `#rrggbb`. */
  buttonText?: string
  /**
   * The radius of the corners of cards, buttons and inputs, in pixels: 0 to 32. Default 16 for cards, 10 for the rest.
   */
  radius?: number
  /**
   * The fonts of the pages and mails, as a CSS list: `Inter, Arial`. They must be installed: no page loads fonts.
   * Default: the system's.
   */
  font?: string
  /**
   * CSS rules after those of the pages, which may change with any version. The pages' policy forbids rules that load
   * resources.
   */
  css?: string
  /** Adds a button to each password that shows it, by a script with the nonce of the page's policy. Default `true`. */
  showPassword?: boolean
  /**
   * Marks the sign-in method that was used last in this browser, if there are several. A cookie stores the id of its
   * provider, and only the sign-in page receives it. Default `true`.
   */
  lastUsed?: boolean
  /**
   * Requests the email address first if several sign-in methods need one, and then shows these methods. They are the
   * same for every address, so that the page does not reveal which addresses are known. With `connections`, the page
   * always requests the address. Default `false`: all methods on one page.
   */
  identifierFirst?: boolean
}
