/** The texts and fields of the pages of passwords. */
import type { ChangeStep, PasswordPageFacts } from '../../contracts/index.js'
import { type PageFrame, renderSite } from '../../pages/layout.js'
import { renderName } from '../../pages/parts.js'
import { translate, translateHtml } from '../../pages/texts.js'
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
  facts: PasswordPageFacts,
  { minLength, typed, signInUrl }: ContentOptions,
): PasswordContent {
  const { language } = frame
  const signIn = { href: signInUrl, text: translate(language, 'password.signInLink') }
  const hint = translate(language, 'password.length', { count: String(minLength) })
  const newPassword = { kind: 'new', minLength, hint } as const
  const site = renderSite(frame)
  const save = translate(language, 'password.saveButton')
  switch (facts.step) {
    case 'signUp':
      return {
        title: translate(language, 'password.signUpTitle'),
        lead: translateHtml(language, 'password.signUpLead', { site }),
        texts: [],
        fields: [{ kind: 'email', typed }, newPassword],
        button: translate(language, 'password.signUpButton'),
        links: [signIn],
      }
    case 'forgot':
      return {
        title: translate(language, 'password.forgotTitle'),
        texts: [translate(language, 'password.forgotText')],
        fields: [{ kind: 'email', typed }],
        button: translate(language, 'signIn.sendLink'),
        links: [signIn],
      }
    case 'reset':
      return {
        title: translate(language, 'password.resetTitle'),
        lead: translateHtml(language, 'password.resetLead', { site, address: renderName(facts.email) }),
        texts: [translate(language, 'password.resetText')],
        fields: [{ kind: 'known', email: facts.email }, newPassword],
        button: save,
        links: [],
      }
    case 'verify': {
      const texts = facts.isElsewhere ? [translate(language, 'password.verifyAnew')] : []
      return {
        title: translate(language, 'password.verifyTitle'),
        lead: translateHtml(language, 'password.verifyLead', { site, address: renderName(facts.email) }),
        texts: [translate(language, 'password.verifyAdvice'), ...texts],
        fields: facts.isElsewhere ? [{ kind: 'known', email: facts.email }, newPassword] : [],
        button: translate(language, 'password.signUpButton'),
        links: [],
      }
    }
    case 'change':
      return changeContent(frame, { ...facts, save, newPassword, signInUrl })
  }
}

interface ChangeContentOptions {
  readonly change: ChangeStep
  readonly email?: string | undefined
  readonly save: string
  readonly newPassword: PasswordField
  readonly signInUrl: string
}

function changeContent(
  frame: PageFrame,
  { change, email, save, newPassword, signInUrl }: ChangeContentOptions,
): PasswordContent {
  const { language } = frame
  const isFirst = change === 'first' || change === 'stale' || change === 'unverified'
  const title = translate(language, isFirst ? 'password.firstTitle' : 'password.changeTitle')
  const signIn = { href: signInUrl, text: translate(language, 'signIn.button') }
  switch (change) {
    case 'signedOut':
      return { title, texts: [translate(language, 'password.signInFirst')], button: save, links: [signIn] }
    case 'stale':
      return { title, texts: [translate(language, 'password.signInAgain')], button: save, links: [signIn] }
    case 'unverified':
      return { title, texts: [translate(language, 'password.proveFirst')], button: save, links: [signIn] }
    default: {
      const known: PasswordField[] = email === undefined ? [] : [{ kind: 'known', email }]
      const current: PasswordField[] = change === 'current' ? [{ kind: 'current' }] : []
      const address = email === undefined ? undefined : renderName(email)
      return {
        title,
        lead: address && translateHtml(language, 'password.changeLead', { site: renderSite(frame), address }),
        texts: [translate(language, 'password.changeText')],
        fields: [...known, ...current, newPassword],
        button: save,
        links: [],
      }
    }
  }
}
