/** What a mail with a link says, by what the link does. */
import type { Language } from '../contracts/index.js'
import type { VerificationRequest } from '../types/provider.js'
import { type Html, html } from './html.js'
import { durationOf, htmlOf, textOf } from './words.js'

/** What the link of a mail does. */
export type LinkPurpose = Exclude<VerificationRequest['purpose'], 'second-factor'>
type TitleKey = 'mail.signIn' | 'mail.change' | 'mail.signUp' | 'mail.reset' | 'mail.haveAccount'

/** The words of a mail. */
export interface MailWords {
  readonly titleKey: TitleKey
  readonly site: string
  readonly title: string
  /** Before the link in plain text, and before the button. */
  readonly open: string
  readonly press: Html | string
  readonly button: string
  /** How long the link works; empty where it always does. */
  readonly validity: string
  /** Where to open it; empty where that is all the same. */
  readonly browserAdvice: string
  /** Before the second link. */
  readonly secondAdvice: string
  readonly ignoreAdvice: string
}

/** What the words are made of. */
interface Facts {
  readonly purpose: LinkPurpose
  readonly site: string
  /** Whom the link signs in. */
  readonly address: string | undefined
  /** Seconds. */
  readonly lifetime: number
}

/** The words of a mail. */
export function mailWords(language: Language, { purpose, site, address, lifetime }: Facts): MailWords {
  const key = titles[purpose]
  const title = textOf(language, key, { site })
  const common = { titleKey: key, site, title, ignoreAdvice: textOf(language, `${key}Ignore`), secondAdvice: '' }
  if (key === 'mail.haveAccount') {
    const [open, secondAdvice] = [textOf(language, 'mail.haveAccountOpen'), textOf(language, 'mail.haveAccountReset')]
    const button = textOf(language, 'mail.signInButton')
    return { ...common, open, press: open, button, secondAdvice, validity: '', browserAdvice: '' }
  }
  const isNamed = key === 'mail.signIn' && address !== undefined
  return {
    ...common,
    open: isNamed ? textOf(language, 'mail.signInOpenAs', { address }) : textOf(language, `${key}Open`),
    press: isNamed
      ? htmlOf(language, 'mail.signInPressAs', { address: html`<strong>${address}</strong>` })
      : textOf(language, `${key}Press`),
    button: textOf(language, `${key}Button`),
    validity: textOf(language, 'mail.validity', { lifetime: durationOf(language, lifetime) }),
    browserAdvice: textOf(language, `${key}Browser`),
  }
}

const titles: Readonly<Record<LinkPurpose, TitleKey>> = {
  'sign-in': 'mail.signIn',
  'change-email': 'mail.change',
  'sign-up': 'mail.signUp',
  'reset-password': 'mail.reset',
  'have-account': 'mail.haveAccount',
}
