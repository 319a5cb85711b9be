/** Pages of the developer's own, and the look of the built-in ones. */
import { InvalidConfiguration } from '../errors.js'
import type { Logger } from '../logger.js'
import type { PagesOptions, Theme } from '../types.js'
import { assertKnownKeys, assertOptions, assertText, assertUrl, quote } from './validate.js'

/** Paths of own pages. One on another origin is unusual, and warned of. */
export function resolvePages(value: unknown, origin: string | undefined, logger: Logger): Partial<PagesOptions> {
  const options = assertOptions('pages', value)
  assertKnownKeys('pages', options, ['signIn', 'signOut', 'error', 'verifyRequest', 'newUser'])
  for (const [key, page] of Object.entries(options)) {
    const path = assertText(`pages.${key}`, page)
    if (path === undefined || (path.startsWith('/') && !path.startsWith('//'))) continue
    const url = assertUrl(`pages.${key}`, path)
    if (url.origin !== origin) {
      logger.warn(
        'foreign-page',
        `\`pages.${key}\` leads to another origin, ${url.origin}. A path such as "/sign-in" is usual.`,
      )
    }
  }
  return Object.fromEntries(Object.entries(options).filter(([, page]) => page !== undefined))
}

const colour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The theme, with colours and logo that a page can carry safely. */
export function resolveTheme(value: unknown): Theme {
  const options = assertOptions('theme', value)
  assertKnownKeys('theme', options, ['colorScheme', 'logo', 'brandColor', 'buttonText'])
  const { colorScheme = 'auto', logo, brandColor, buttonText } = options
  if (colorScheme !== 'auto' && colorScheme !== 'light' && colorScheme !== 'dark') {
    throw new InvalidConfiguration(`${quote('theme.colorScheme')} must be "auto", "light" or "dark".`)
  }
  for (const [name, chosen] of Object.entries({ brandColor, buttonText })) {
    if (chosen !== undefined && (typeof chosen !== 'string' || !colour.test(chosen))) {
      throw new InvalidConfiguration(`${quote(`theme.${name}`)} must be a colour such as "#3366ff".`)
    }
  }
  const image = assertText('theme.logo', logo)
  if (image !== undefined && !(image.startsWith('/') && !image.startsWith('//'))) assertUrl('theme.logo', image)
  return Object.fromEntries(Object.entries({ ...options, colorScheme }).filter(([, entry]) => entry !== undefined))
}
