/** The texts and fields of the pages of passwords. */
import type { ChangeStep, PasswordFacts } from '../../contracts/index.js'
import { type PageFrame, renderSite } from '../../pages/layout.js'
import { renderName } from '../../pages/parts.js'
import { htmlOf, textOf } from '../../pages/words.js'
import type { PasswordField, PasswordPage } from './page-forms.js'

/** The texts and fields of a page. */
export type PasswordContent = Pick<PasswordPage, 'title' | 'lead' | 'texts' | 'links'> & {
  readonly fields?: readonly PasswordField[]
  readonly button: string
}

/** The parameters from the site and the request. */
interface ContentOptions {
  readonly minLength: number
  /** The email address that was typed before. */
  readonly typed?: string | undefined
  readonly signInUrl: string
}

/** Returns the texts and fields of a page. */
export function passwordContent(
  frame: PageFrame,
  facts: PasswordFacts,
  { minLength, typed, signInUrl }: ContentOptions,
): PasswordContent {
  const { language } = frame
  const signIn = { href: signInUrl, text: textOf(language, 'password.signInLink') }
  const newPassword = { kind: 'new', minLength } as const
  const length = textOf(language, 'password.length', { count: String(minLength) })
  const site = renderSite(frame)
  const save = textOf(language, 'password.saveButton')
  switch (facts.step) {
    case 'signUp':
      return {
        title: textOf(language, 'password.signUpTitle'),
        lead: htmlOf(language, 'password.signUpLead', { site }),
        texts: [length],
        fields: [{ kind: 'email', typed }, newPassword],
        button: textOf(language, 'password.signUpButton'),
        links: [signIn],
      }
    case 'forgot':
      return {
        title: textOf(language, 'password.forgotTitle'),
        texts: [textOf(language, 'password.forgotText')],
        fields: [{ kind: 'email', typed }],
        button: textOf(language, 'signIn.sendLink'),
        links: [signIn],
      }
    case 'reset':
      return {
        title: textOf(language, 'password.resetTitle'),
        lead: htmlOf(language, 'password.resetLead', { site, address: renderName(facts.email) }),
        texts: [textOf(language, 'password.resetText'), length],
        fields: [{ kind: 'known', email: facts.email }, newPassword],
        button: save,
        links: [],
      }
    case 'verify': {
      const texts = facts.isElsewhere ? [textOf(language, 'password.verifyAnew'), length] : []
      return {
        title: textOf(language, 'password.verifyTitle'),
        lead: htmlOf(language, 'password.verifyLead', { site, address: renderName(facts.email) }),
        texts: [textOf(language, 'password.verifyAdvice'), ...texts],
        fields: facts.isElsewhere ? [{ kind: 'known', email: facts.email }, newPassword] : [],
        button: textOf(language, 'password.signUpButton'),
        links: [],
      }
    }
    case 'change':
      return changeContents(frame, { ...facts, length, save, newPassword, signInUrl })
  }
}

interface Change {
  readonly change: ChangeStep
  readonly email?: string | undefined
  readonly length: string
  readonly save: string
  readonly newPassword: PasswordField
  readonly signInUrl: string
}

function changeContents(
  frame: PageFrame,
  { change, email, length, save, newPassword, signInUrl }: Change,
): PasswordContent {
  const { language } = frame
  const isFirst = change === 'first' || change === 'stale' || change === 'unverified'
  const title = textOf(language, isFirst ? 'password.firstTitle' : 'password.changeTitle')
  const signIn = { href: signInUrl, text: textOf(language, 'signIn.button') }
  switch (change) {
    case 'signedOut':
      return { title, texts: [textOf(language, 'password.signInFirst')], button: save, links: [signIn] }
    case 'stale':
      return { title, texts: [textOf(language, 'password.signInAgain')], button: save, links: [signIn] }
    case 'unverified':
      return { title, texts: [textOf(language, 'password.proveFirst')], button: save, links: [signIn] }
    default: {
      const known: PasswordField[] = email === undefined ? [] : [{ kind: 'known', email }]
      const current: PasswordField[] = change === 'current' ? [{ kind: 'current' }] : []
      const address = email === undefined ? undefined : renderName(email)
      return {
        title,
        lead: address && htmlOf(language, 'password.changeLead', { site: renderSite(frame), address }),
        texts: [textOf(language, 'password.changeText'), length],
        fields: [...known, ...current, newPassword],
        button: save,
        links: [],
      }
    }
  }
}
