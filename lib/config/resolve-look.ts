/** The options `pages` and `theme`: custom pages, and the look of the built-in ones. */

import type { ResolvedConfig } from '../contracts/index.js'
import { passwordProviderOf } from '../features/passwords/provider-option.js'
import type { CustomPages, QuestionRenderer } from '../types/pages.js'
import { refuse } from './refusal.js'
import { boolean, type Check, colour, functionOf, oneOf, optional, pathOrUrl, shape, text } from './shape.js'

/** A path, or an URL; what looks like a path without its slash is told so. */
const page: Check<string | undefined> = (name, value) => {
  const given = text(name, value)
  if (given && /^[\w.-]+(?:\/|$)/.test(given)) refuse(name, `must begin with a slash: "/${given}".`)
  return pathOrUrl(name, given)
}

const rendered = functionOf<QuestionRenderer>()

/** The option `pages`. */
export const pagesShape = shape({
  ...{ signIn: page, signOut: page, error: page, verifyRequest: page, newUser: page },
  ...{ signUp: page, forgotPassword: page, resetPassword: page, changePassword: page },
  ...{ twoFactor: page, twoFactorSetup: page },
  ...{ confirmEmail: rendered, changeEmail: rendered, connect: rendered },
} satisfies Record<keyof CustomPages, Check<unknown>>)

const factorPages = ['twoFactor', 'twoFactorSetup'] as const
const passwordPages = ['signUp', 'forgotPassword', 'resetPassword', 'changePassword'] as const

/** Refuses pages of a feature that is not configured: they would have no effect. Warns of a page on another origin, which is unusual. */
export function checkPages(
  pages: CustomPages,
  config: Pick<ResolvedConfig, 'providers' | 'factors' | 'site' | 'logger'>,
): void {
  const stray = factorPages.find((key) => pages[key] !== undefined)
  if (stray && !config.factors)
    refuse(`pages.${stray}`, 'is a page of second factors, and `factors` is not set. Set it, or remove the page.')
  const strayPage = passwordPages.find((key) => pages[key] !== undefined)
  if (strayPage && !passwordProviderOf(config))
    refuse(
      `pages.${strayPage}`,
      'is a page of the provider `Password`, and `providers` has none. Add it, or remove the page.',
    )
  for (const [key, page] of Object.entries(pages)) {
    if (typeof page !== 'string' || page.startsWith('/') || new URL(page).origin === config.site?.origin) continue
    config.logger.warn(
      'foreign-page',
      `\`pages.${key}\` leads to another origin, ${new URL(page).origin}. A path such as "/sign-in" is usual.`,
    )
  }
}

/** It stands in the subject of mails too: a line break would begin another header. */
const siteName: Check<string | undefined> = (name, value) => {
  const called = text(name, value)
  if (called && (called.length > 100 || called.trim() === '' || /\p{C}/u.test(called))) {
    refuse(name, 'must be one line of at most 100 characters.')
  }
  return called
}

/** The option `theme`, with colours and logos that a page can carry safely. */
export const themeShape = shape({
  name: siteName,
  colorScheme: oneOf('auto', 'light', 'dark'),
  logo: pathOrUrl,
  logoDark: pathOrUrl,
  brandColor: colour,
  buttonText: colour,
  radius: optional<number>(
    (value) => typeof value === 'number' && value >= 0 && value <= 32,
    'must be a number of pixels from 0 to 32, not {kind}.',
  ),
  font: optional<string>(
    isFontList,
    'must be a list of font names such as "Inter, Arial", of letters, digits and hyphens.',
  ),
  css: optional<string>(isCss, 'must be CSS rules. They may not have "</" in them, nor a backslash.'),
  showPassword: boolean,
  identifierFirst: boolean,
})

/** It stands in a style element, and in the `style` of mails' elements: of names only, no quote and no semicolon. */
function isFontList(value: unknown): boolean {
  return typeof value === 'string' && /^[\p{L}\p{N} _-]+(?:, ?[\p{L}\p{N} _-]+)*$/u.test(value) && value.length <= 200
}

/** The end of the style element would begin markup (HTML, "restrictions on the contents of raw text elements"). */
function isCss(value: unknown): boolean {
  return typeof value === 'string' && !/<\/|<!--|\\/.test(value)
}
