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

type PageConfig = Pick<ResolvedConfig, 'providers' | 'factors' | 'tokens' | 'site' | 'logger'>

/** The pages of a feature, whether it is configured, and what the message says of both. */
const featurePages: readonly {
  readonly keys: readonly (keyof CustomPages)[]
  readonly isOn: (config: PageConfig) => boolean
  readonly words: string
}[] = [
  {
    keys: ['twoFactor', 'twoFactorSetup'],
    isOn: ({ factors }) => factors !== undefined,
    words: 'is a page of second factors, and `factors` is not set. Set it, or remove the page.',
  },
  {
    keys: ['signUp', 'forgotPassword', 'resetPassword', 'changePassword'],
    isOn: (config) => passwordProviderOf(config) !== undefined,
    words: 'is a page of the provider `Password`, and `providers` has none. Add it, or remove the page.',
  },
  {
    keys: ['confirmEmail', 'changeEmail'],
    isOn: ({ providers }) => [...providers.values()].some(({ kind }) => kind === 'email'),
    words: 'is a page behind an email link, and `providers` has no provider of e-mail. Add one, or remove the page.',
  },
  {
    keys: ['connect'],
    isOn: ({ tokens }) => tokens !== undefined,
    words: 'is a page of provider tokens, and `tokens` is not set. Set it, or remove the page.',
  },
]

/** Refuses pages of a feature that is not configured: they would have no effect. Warns of a page on another origin, which is unusual. */
export function checkPages(pages: CustomPages, config: PageConfig): void {
  for (const { keys, isOn, words } of featurePages) {
    const stray = keys.find((key) => pages[key] !== undefined)
    if (stray && !isOn(config)) refuse(`pages.${stray}`, words)
  }
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
