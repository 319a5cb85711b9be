/** Pages of the developer's own, and the look of the built-in ones. */

import type { Logger } from '../base/logger.js'
import type { QuestionRenderer } from '../types/question-pages.js'
import { refuse } from './refusal.js'
import { boolean, type Check, colour, functionOf, optional, pathOrUrl, shape, text } from './shape.js'

/** A path, or an URL; what looks like a path without its slash is told so. */
const page: Check<string | undefined> = (name, value) => {
  const given = text(name, value)
  if (given && /^[\w.-]+(?:\/|$)/.test(given)) refuse(name, `must begin with a slash: "/${given}".`)
  return pathOrUrl(name, given)
}

/** The option `pages`. */
export const pagesShape = shape({ signIn: page, signOut: page, error: page, verifyRequest: page, newUser: page })

/** The option `questionPages`. */
export const questionPagesShape = shape({
  confirmEmail: functionOf<QuestionRenderer>(),
  changeEmail: functionOf<QuestionRenderer>(),
  connect: functionOf<QuestionRenderer>(),
})

/** A page on another origin is unusual. */
export function warnOfForeignPages(
  pages: ReturnType<typeof pagesShape>,
  own: string | undefined,
  logger: Logger,
): void {
  for (const [key, page] of Object.entries(pages)) {
    if (page.startsWith('/') || new URL(page).origin === own) continue
    logger.warn(
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
  colorScheme: optional<'auto' | 'light' | 'dark'>(
    (value) => value === 'auto' || value === 'light' || value === 'dark',
    'must be "auto", "light" or "dark".',
  ),
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
