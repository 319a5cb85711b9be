/** Pages of the developer's own, and the look of the built-in ones. */

import type { Logger } from '../base/logger.js'
import { InvalidConfiguration } from '../errors.js'
import type { PagesOptions } from '../types/config.js'
import type { Theme } from '../types/theme.js'
import { assertKnownKeys, assertOptions, assertText, assertUrl, isColour, quote } from './validate.js'

/** Paths of own pages. One on another origin is unusual, and warned of. */
export function resolvePages(value: unknown, origin: string | undefined, logger: Logger): Partial<PagesOptions> {
  const options = assertOptions('pages', value)
  assertKnownKeys('pages', options, ['signIn', 'signOut', 'error', 'verifyRequest', 'newUser'])
  for (const [key, page] of Object.entries(options)) {
    const path = assertText(`pages.${key}`, page)
    if (path === undefined || (path.startsWith('/') && !path.startsWith('//'))) continue
    const url = assertPageUrl(`pages.${key}`, path)
    if (url.origin !== origin) {
      logger.warn(
        'foreign-page',
        `\`pages.${key}\` leads to another origin, ${url.origin}. A path such as "/sign-in" is usual.`,
      )
    }
  }
  return Object.fromEntries(Object.entries(options).filter(([, page]) => page !== undefined))
}

/** An absolute URL; what looks like a path without its slash is told so. */
function assertPageUrl(name: string, page: string): URL {
  if (/^[\w.-]+(?:\/|$)/.test(page)) {
    throw new InvalidConfiguration(`${quote(name)} must begin with a slash: "/${page}".`)
  }
  return assertUrl(name, page)
}

/** The theme, with colours and logo that a page can carry safely. */
export function resolveTheme(value: unknown): Theme {
  const options = assertOptions('theme', value)
  assertKnownKeys('theme', options, ['name', 'colorScheme', 'logo', 'logoDark', 'brandColor', 'buttonText'])
  const { name, colorScheme = 'auto', logo, logoDark, brandColor, buttonText } = options
  const called = assertText('theme.name', name)
  // It stands in the subject of mails too: a line break would begin another header.
  if (called !== undefined && (called.length > 100 || called.trim() === '' || /\p{C}/u.test(called))) {
    throw new InvalidConfiguration(`${quote('theme.name')} must be one line of at most 100 characters.`)
  }
  if (colorScheme !== 'auto' && colorScheme !== 'light' && colorScheme !== 'dark') {
    throw new InvalidConfiguration(`${quote('theme.colorScheme')} must be "auto", "light" or "dark".`)
  }
  for (const [key, chosen] of Object.entries({ brandColor, buttonText })) {
    if (chosen !== undefined && !isColour(chosen)) {
      throw new InvalidConfiguration(`${quote(`theme.${key}`)} must be a colour such as "#3366ff".`)
    }
  }
  for (const [key, value] of Object.entries({ logo, logoDark })) {
    const image = assertText(`theme.${key}`, value)
    if (image !== undefined && !(image.startsWith('/') && !image.startsWith('//'))) assertUrl(`theme.${key}`, image)
  }
  return Object.fromEntries(Object.entries({ ...options, colorScheme }).filter(([, entry]) => entry !== undefined))
}
