/**
 * Every built-in page in every state, and a server that shows them: for the accessibility tests and for
 * `npm run screenshots`.
 */

import { encode } from 'uqr'
import { PasskeyError } from '../../lib/client/passkey-error.js'
import { english } from '../../lib/config/site.js'
import type { PasswordPageFacts } from '../../lib/contracts/index.js'
import type { EnrolledFactor, FactorType } from '../../lib/features/factors/types.js'
import { renderOrganizations } from '../../lib/features/organizations/page-organizations.js'
import ar from '../../lib/i18n/ar.js'
import de from '../../lib/i18n/de.js'
import ja from '../../lib/i18n/ja.js'
import {
  type PageFrame,
  passwordContent,
  renderAddFactor,
  renderConfirmEmail,
  renderConnect,
  renderContinue,
  renderError,
  renderFactorList,
  renderPasskeyOffer,
  renderPassword,
  renderRecoveryCodes,
  renderSignIn,
  renderSignOut,
  renderTwoFactor,
  renderVerifyRequest,
  type SignInEntry,
  withIdentifierForm,
} from '../../lib/pages/index.js'
import Apple from '../../lib/providers/apple.js'
import Discord from '../../lib/providers/discord.js'
import Facebook from '../../lib/providers/facebook.js'
import GitHub from '../../lib/providers/github.js'
import GitLab from '../../lib/providers/gitlab.js'
import Google from '../../lib/providers/google.js'
import LinkedIn from '../../lib/providers/linkedin.js'
import MicrosoftEntraID from '../../lib/providers/microsoft-entra-id.js'
import Password from '../../lib/providers/password.js'
import Slack from '../../lib/providers/slack.js'
import Twitter from '../../lib/providers/twitter.js'
import type { User } from '../../lib/types/identity.js'
import type { CredentialInput, OAuthProviderButtonStyles } from '../../lib/types/provider-parts.js'
import type { Theme } from '../../lib/types/theme.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'

const marked = [
  Google(),
  MicrosoftEntraID(),
  Apple(),
  GitHub(),
  Facebook(),
  Twitter(),
  LinkedIn(),
  Discord(),
  GitLab(),
  Slack(),
].map(({ name, style = {} }) => ({ name, style }))

const brands: ReadonlyArray<{ readonly name: string; readonly style: OAuthProviderButtonStyles }> = [
  ...marked,
  { name: 'LINE', style: { brandColor: '#00C300' } },
  { name: 'The single sign-on of the Ministry of Education, Science and Culture', style: {} },
  {
    name: 'Bundesamtfürsicherheitinderinformationstechnikzentraldienststelle',
    style: { brandColor: '#777' },
  },
]

const providers: readonly SignInEntry[] = brands.map(({ name, style }, index) => ({
  kind: 'redirect',
  id: `provider-${index}`,
  name,
  action: `/auth/signin/provider-${index}`,
  style,
}))

function form(inputs: Readonly<Record<string, CredentialInput>>, name = 'Credentials'): SignInEntry {
  return { kind: 'credentials', id: name.toLowerCase(), name, action: '/auth/callback/credentials', inputs }
}

function email(name: string): SignInEntry {
  const id = name.toLowerCase()
  return { kind: 'email', id, name, action: `/auth/signin/${id}` }
}

type PasskeyEntry = Extract<SignInEntry, { kind: 'passkey' }>

function passkey({ id = 'passkey', ...rest }: Partial<PasskeyEntry> = {}): PasskeyEntry {
  return {
    kind: 'passkey',
    id,
    name: 'Passkey',
    action: `/auth/callback/${id}`,
    optionsUrl: `/auth/webauthn-options/${id}`,
    inputs: { email: { label: 'Email address', type: 'email', placeholder: 'you@example.com' } },
    conditional: false,
    sendsEmail: false,
    ...rest,
  }
}

const password = form({ username: { label: 'User name' }, password: { label: 'Password', type: 'password' } })
const manyFields = form({
  company: { label: 'Company', placeholder: 'ACME Ltd.' },
  email: { label: 'E-mail address', type: 'email', required: true, placeholder: 'you@example.com' },
  password: { label: 'Password', type: 'password', required: true },
  code: { label: 'Code from your authenticator app', inputmode: 'numeric' },
  birthday: { label: 'Date of birth', type: 'date' },
  colour: { label: 'A label that is much longer than anybody would write it, to see where its line breaks' },
  filled: { label: 'Filled in and read-only', value: 'read me', readonly: true },
  remember: { label: 'Stay signed in on this device', type: 'checkbox' },
})

const signInErrors = [
  'OAuthAccountNotLinked',
  'AccountNotLinked',
  'EmailSignInError',
  'CredentialsSignin',
  'SessionRequired',
  'OAuthSignInError',
  'OAuthCallbackError',
  'OAuthCreateAccount',
  'MissingCSRF',
  'Configuration',
  'SomethingElse',
]
const errors = [
  'Configuration',
  'AccessDenied',
  'Verification',
  'InvalidCheck',
  'WebAuthnVerificationError',
  'InvalidProvider',
  'InvalidRequest',
  'TooManyRequests',
  'CaptchaUnavailable',
  'PasswordRejected',
  'PasswordsBusy',
  'SomethingElse',
]

/** The page that offers a passkey. */
const passkeyOffer: Render = (frame) =>
  renderPasskeyOffer({
    ...{ frame, csrfToken: 'token', callbackUrl: '/' },
    ...{ action: '/auth/callback/passkey', optionsUrl: '/auth/webauthn-options/passkey' },
  })

/** The page after an email was sent. */
const sentMail = { csrfToken: 'token', homeUrl: '/', signInUrl: '/auth/signin', hasOtherMethods: true }
const requestedMail = { address: 'ada@example.com', action: '/auth/signin/email', fields: { again: '1' } }

/** The errors after which the user can try again. */
const faults: ReadonlySet<string> = new Set(['Configuration', 'CaptchaUnavailable', 'PasswordsBusy'])

/** Renders a page of passwords with an error about the typed values. */
/** The link to which a form belongs. */
const formLink = { sealed: 'sealed', reference: 'reference' }

function passwordPage(facts: PasswordPageFacts, error?: string): Render {
  return (frame) => {
    const { fields, button, ...content } = passwordContent(frame, facts, { minLength: 15, signInUrl: '/auth/signin' })
    const form = fields && { action: '/auth/password/reset', csrfToken: 'token', fields, button }
    return renderPassword({ frame, name: 'password', ...content, form, error })
  }
}

const kept: SignInEntry = {
  ...{ kind: 'credentials', id: 'password', name: 'Password', action: '/auth/callback/password' },
  inputs: Password().credentials,
  forgotUrl: '/auth/password/forgot',
  signUpUrl: '/auth/signup/password',
}

const logo = '/logo.svg'
const logoDark = '/logo-dark.svg'
const brand: Theme = { brandColor: '#0b7a4b', logo }
const detail = `InvalidConfiguration: Provider "company": client_secret_post needs \`clientSecret\`, or AUTH_COMPANY_SECRET.
Caused by TypeError: fetch failed https://login.example/${'realms-and-more-realms-'.repeat(6)}`

type Render = (frame: PageFrame) => string

function signIn(entries: readonly SignInEntry[], error?: string, lastUsed?: string): Render {
  const page = { entries, lastUsed, csrfToken: 'token', callbackUrl: '/', ...(error !== undefined && { error }) }
  return (frame) => renderSignIn({ frame, ...page })
}

/** Renders the sign-in page for a user who is signed in already. */
function signInAgain(entries: readonly SignInEntry[], user: User, links: boolean): Render {
  const signedIn = { user, signOutUrl: '/auth/signout', links }
  return (frame) => renderSignIn({ frame, entries, csrfToken: 'token', callbackUrl: '/', signedIn })
}

function withTheme(theme: Theme, render: Render): Render {
  return (frame) => render({ ...frame, theme: { ...frame.theme, ...theme } })
}

/** Renders the passkey form after a ceremony that failed, as its script leaves it. */
function withMessage({ message }: PasskeyError, render: Render): Render {
  const box = `id="passkey-message"><div class="error"><p>${message}</p></div>`
  return (frame) => render(frame).replace('id="passkey-message">', box)
}

/** Renders the passkey form during a ceremony. */
function busy(render: Render): Render {
  return (frame) => render(frame).replaceAll(' data-passkey-action', ' disabled data-passkey-action')
}

/** Renders a page for a browser that lacks a feature, before the script of the page looks for it. */
function lacking(what: string, render: Render): Render {
  return (frame) =>
    render(frame).replace('<script nonce=', `<script nonce="${frame.nonce}">${what}</script><script nonce=`)
}

/** Renders a page as a browser without scripts shows it. */
function withoutScript(render: Render): Render {
  return (frame) => render(frame).replace(/<script[\s\S]*<\/script>|<\/?noscript>/g, '')
}

const noPasskeys = 'delete self.PublicKeyCredential;'
const everything = [passkey(), ...providers.slice(0, 2), email('Email'), password]

const ada = { name: 'Ada Lovelace', email: 'ada@example.com' }
const signOut = {
  action: '/auth/signout',
  csrfToken: 'token',
  callbackUrl: '/',
  signInUrl: '/auth/signin',
  homeUrl: '/',
}
const confirm = { action: '/auth/callback/email', csrfToken: 'token', fields: { token: 't', callbackUrl: '/' } }
const ways = { signInUrl: '/auth/signin', homeUrl: '/' }

const twoFactor = '/auth/two-factor'
const factorTypes: readonly FactorType[] = ['totp', 'email', 'passkey', 'recovery']

/** Renders the page that asks for a second factor, with the other ones below. */
function challenge(type: FactorType, how: { isSent?: boolean; error?: string; isAlone?: boolean } = {}): Render {
  const { isSent = false, error, isAlone = false } = how
  const others = isAlone ? [] : factorTypes.filter((each) => each !== type)
  return (frame) =>
    renderTwoFactor({
      ...{ frame, type, isSent, error, csrfToken: 'token', callbackUrl: '/' },
      action: `${twoFactor}/${type}`,
      remember: 30 * 24 * 60 * 60,
      others: others.map((each) => ({ type: each, url: `${twoFactor}/${each}` })),
      cancelUrl: '/auth/signin',
    })
}

/** Renders the list of a user's second factors. */
function factorList(
  factors: readonly EnrolledFactor[],
  addable: readonly FactorType[],
  { mustEnrol = false, recommended }: { mustEnrol?: boolean; recommended?: FactorType } = {},
): Render {
  return (frame) =>
    renderFactorList({
      ...{ frame, factors, mustEnrol, csrfToken: 'token', callbackUrl: '/', action: twoFactor },
      addable: addable.map((type) => ({ type, url: `${twoFactor}/${type}?setup` })),
      ...{ recommended, codesUrl: `${twoFactor}/recovery` },
    })
}

const enrolledAt = { createdAt: new Date('2026-05-04T10:00:00Z'), usedAt: null }
const enrolled: readonly EnrolledFactor[] = [
  { id: '1', type: 'totp', name: 'Blue phone', ...enrolledAt },
  { id: '2', type: 'totp', name: 'W'.repeat(64), ...enrolledAt },
  { id: '3', type: 'email', name: null, ...enrolledAt },
  { id: '4', type: 'passkey', name: null, ...enrolledAt },
  { id: '5', type: 'recovery', name: null, ...enrolledAt, left: 7 },
]

const key = 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP'
const appUri = `otpauth://totp/App:ada%40example.com?secret=${key.replaceAll(' ', '')}&issuer=App`
const qr = encode(appUri, { ecc: 'M', border: 0 }).data

/** Renders the page on which a second factor is added. */
function addFactor(
  type: 'totp' | 'email' | 'passkey',
  how: { isSent?: boolean; error?: string; withoutQr?: boolean } = {},
): Render {
  const { isSent = false, error, withoutQr = false } = how
  return (frame) =>
    renderAddFactor({
      ...{ frame, type, isSent, error, csrfToken: 'token', callbackUrl: '/', cancelUrl: twoFactor },
      action: `${twoFactor}/${type}`,
      ...(type === 'totp' && { setup: 'sealed', totp: { secret: key, uri: appUri, ...(!withoutQr && { qr }) } }),
    })
}

const recoveryCodes = Array.from(
  { length: 10 },
  (_, at) =>
    `K7QM-W3XN-${String(at)
      .repeat(4)
      .replaceAll(/[01]/g, (digit) => 'HJ'.charAt(Number(digit)))}`,
)

/** The states by name. */
const organizations = {
  entries: [
    { id: 'acme', name: 'Acme Inc.' },
    { id: 'ministry', name: 'The Ministry of Education, Science and Culture of the Federal Republic' },
    { id: 'long', name: 'Bundesamtfürsicherheitinderinformationstechnikzentraldienststelle' },
  ],
  active: 'ministry',
  ...{ action: '/auth/organization', csrfToken: 'token', callbackUrl: '/', signOutUrl: '/auth/signout' },
}

export const states: Readonly<Record<string, Render>> = {
  'sign-in-none': signIn([]),
  'sign-in-1': signIn(providers.slice(0, 1)),
  'sign-in-3': signIn(providers.slice(0, 3)),
  'sign-in-all': signIn(providers),
  'sign-in-marks': signIn([password, ...providers.slice(0, 10)]),
  'sign-in-password': signIn([password]),
  'sign-in-password-and-3': signIn([password, ...providers.slice(0, 3)]),
  'sign-in-3-and-password': signIn([...providers.slice(0, 3), password]),
  'sign-in-many-fields': signIn([manyFields]),
  'sign-in-two-forms': signIn([password, form({ card: { label: 'Card number' } }, 'Library card')]),
  'sign-in-email': signIn([email('Email')]),
  'sign-in-3-and-email': signIn([...providers.slice(0, 3), email('Email')]),
  'sign-in-email-and-password': signIn([email('Email'), password]),
  'sign-in-two-emails': signIn([email('Postmark'), email('Company mail')], 'EmailSignInError'),
  'sign-in-passkey': signIn([passkey()]),
  'sign-in-passkey-button': signIn([passkey({ inputs: {} })]),
  'sign-in-passkey-button-and-3': signIn([passkey({ inputs: {} }), ...providers.slice(0, 3)]),
  'sign-in-passkey-by-address': signIn([passkey({ sendsEmail: true })]),
  'sign-in-passkey-and-more': signIn(everything),
  'sign-in-passkey-after-more': signIn([...providers.slice(0, 2), email('Email'), password, passkey()]),
  'sign-in-two-passkeys': signIn([passkey(), passkey({ id: 'key', name: 'Security key', sendsEmail: true })]),
  'sign-in-passkey-cancelled': withMessage(new PasskeyError('cancelled', 'authenticate'), signIn([passkey()])),
  'sign-in-passkey-not-made': withMessage(new PasskeyError('cancelled', 'register'), signIn(everything)),
  'sign-in-passkey-refused': withMessage(new PasskeyError('refused', 'authenticate'), signIn(everything)),
  'sign-in-passkey-busy': busy(signIn(everything)),
  'sign-in-passkey-unsupported': lacking(noPasskeys, signIn(everything)),
  'sign-in-passkey-insecure': lacking(
    `${noPasskeys}Object.defineProperty(self,'isSecureContext',{value:false})`,
    signIn([passkey()]),
  ),
  'sign-in-passkey-without-script': withoutScript(signIn(everything)),
  'sign-in-passkey-error-AccountNotLinked': signIn([passkey()], 'AccountNotLinked'),
  'sign-in-logo': withTheme(brand, signIn([...providers.slice(0, 2), password])),
  'sign-in-light-brand': withTheme({ brandColor: '#ffd400' }, signIn([password])),
  'sign-in-dark-brand': withTheme({ brandColor: '#101010' }, signIn([password])),
  'sign-in-named': withTheme({ name: 'Acme', logo, logoDark }, signIn([...providers.slice(0, 3), email('Email')])),
  'sign-in-signed-in': signInAgain([...providers.slice(0, 3), password], ada, true),
  'sign-in-signed-in-nameless': signInAgain([password], {}, false),
  'sign-in-identifier': signIn([
    ...providers.slice(0, 2),
    ...withIdentifierForm([email('Email'), password], { action: '/auth/signin', leadsToConnections: false }),
  ]),
  'sign-in-identifier-known': (frame) =>
    renderSignIn({
      ...{
        frame,
        entries: [password, email('Email'), passkey({ sendsEmail: true })],
        csrfToken: 'token',
        callbackUrl: '/',
      },
      identifier: { value: 'ada@example.com', changeUrl: '/auth/signin' },
    }),
  'sign-in-plain-password': withTheme({ showPassword: false }, signIn([password], 'CredentialsSignin')),
  'sign-in-square': withTheme({ radius: 0, font: 'Georgia', brandColor: '#7a0b4b' }, signIn(everything)),
  'sign-in-last-used': signIn([...providers.slice(0, 2), password, email('Email')], undefined, 'provider-1'),
  'sign-in-last-used-password': signIn([...providers.slice(0, 2), kept, passkey()], undefined, 'password'),
  'sign-in-last-used-passkey': signIn([passkey({ inputs: {} }), kept], undefined, 'passkey'),
  'sign-in-typed': signIn([{ ...password, typed: { username: 'ada' } } as SignInEntry], 'CredentialsSignin'),
  'sign-in-long-host': (frame) =>
    signIn([...providers.slice(0, 2), password])({
      ...frame,
      host: `${'a-very-long-label-of-a-host-name-'.repeat(3)}.preview.deployments.example.com:8443`,
    }),
  ...Object.fromEntries(
    signInErrors.map((error) => [`sign-in-error-${error}`, signIn([...providers.slice(0, 2), password], error)]),
  ),
  'sign-in-kept-password': signIn([kept]),
  'sign-in-kept-password-and-3': signIn([kept, ...providers.slice(0, 3)], 'CredentialsSignin'),
  'password-sign-up': passwordPage({ step: 'signUp', callbackUrl: '/' }),
  'password-sign-up-refused': passwordPage({ step: 'signUp', callbackUrl: '/' }, 'This password is too short.'),
  'password-forgot': passwordPage({ step: 'forgot' }),
  'password-reset': passwordPage({ step: 'reset', email: 'ada@example.com', link: formLink }),
  'password-verify': passwordPage({ step: 'verify', email: 'ada@example.com', isElsewhere: false, link: formLink }),
  'password-verify-elsewhere': passwordPage({
    step: 'verify',
    email: `${'a'.repeat(64)}@example.com`,
    isElsewhere: true,
    link: formLink,
  }),
  ...Object.fromEntries(
    (['current', 'fresh', 'first', 'signedOut', 'stale', 'unverified'] as const).map((change): [string, Render] => [
      `password-change-${change}`,
      passwordPage({ step: 'change', change, email: 'ada@example.com', callbackUrl: '/' }),
    ]),
  ),
  'verify-request-again': (frame) => renderVerifyRequest({ frame, ...sentMail, mail: requestedMail, again: 'sent' }),
  'verify-request-limited': (frame) =>
    renderVerifyRequest({ frame, ...sentMail, mail: requestedMail, again: { wait: 250 } }),
  'verify-request-long': (frame) =>
    renderVerifyRequest({
      ...{ frame, ...sentMail, identifierUrl: '/auth/signin' },
      mail: { ...requestedMail, address: `${'a'.repeat(64)}@${'b'.repeat(60)}.example.com` },
    }),
  'verify-request-sign-up': (frame) =>
    renderVerifyRequest({ frame, ...sentMail, mail: requestedMail, after: 'signUp' }),
  'verify-request-reset': (frame) => renderVerifyRequest({ frame, ...sentMail, mail: requestedMail, after: 'reset' }),
  'passkey-offer': passkeyOffer,
  'passkey-offer-unsupported': lacking(noPasskeys, passkeyOffer),
  'passkey-offer-without-script': withoutScript(passkeyOffer),
  'organizations-none': (frame) => renderOrganizations({ frame, ...organizations, entries: [] }),
  'organizations-3': (frame) => renderOrganizations({ frame, ...organizations }),
  'sign-out': (frame) => renderSignOut({ frame, ...signOut }),
  'sign-out-user': (frame) => renderSignOut({ frame, ...signOut, user: ada }),
  'sign-out-nobody': (frame) => renderSignOut({ frame, ...signOut, user: null }),
  'sign-out-long-user': (frame) =>
    renderSignOut({
      frame,
      ...signOut,
      user: {
        name: 'Adolph Blaine Charles David Earl Frederick Gerald Hubert',
        email: `${'a'.repeat(60)}@example.com`,
      },
    }),
  'sign-out-error': (frame) => renderSignOut({ frame, ...signOut, error: 'MissingCSRF' }),
  ...Object.fromEntries(
    errors.map((error): [string, Render] => [
      `error-${error}`,
      (frame) => renderError({ frame, error, ...ways, ...(faults.has(error) && { retryUrl: '/auth/signin' }) }),
    ]),
  ),
  'error-reference': (frame) =>
    renderError({ frame, error: 'Configuration', ...ways, retryUrl: '/auth/signin', reference: '4f1c09ab' }),
  'error-development': (frame) =>
    renderError({ frame, error: 'Configuration', ...ways, reference: '4f1c09ab', detail }),
  'error-logo': withTheme(brand, (frame) => renderError({ frame, error: 'AccessDenied', ...ways })),
  'verify-request': (frame) => renderVerifyRequest({ frame, ...sentMail, mail: requestedMail }),
  'verify-request-elsewhere': (frame) => renderVerifyRequest({ frame, ...sentMail }),
  'confirm-email': (frame) => renderConfirmEmail({ frame, ...confirm, address: 'ada@example.com' }),
  'confirm-email-other': (frame) =>
    renderConfirmEmail({ frame, ...confirm, address: 'ada@example.com', effect: 'other-user' }),
  'confirm-email-long': (frame) =>
    renderConfirmEmail({ frame, ...confirm, address: `${'a'.repeat(64)}@${'b'.repeat(60)}.example.com` }),
  'two-factor-totp': challenge('totp'),
  'two-factor-totp-alone': challenge('totp', { isAlone: true }),
  'two-factor-totp-wrong': challenge('totp', { error: 'InvalidCode' }),
  'two-factor-email': challenge('email'),
  'two-factor-email-sent': challenge('email', { isSent: true }),
  'two-factor-email-wrong': challenge('email', { isSent: true, error: 'InvalidCode' }),
  'two-factor-passkey': challenge('passkey'),
  'two-factor-passkey-wrong': challenge('passkey', { error: 'InvalidCode' }),
  'two-factor-passkey-without-script': withoutScript(challenge('passkey')),
  'two-factor-recovery': challenge('recovery'),
  'two-factor-failed': signIn([password], 'SecondFactorFailed'),
  'two-factor-list-empty': factorList([], ['totp', 'email'], { recommended: 'totp' }),
  'two-factor-list': factorList(enrolled, ['totp']),
  'two-factor-list-one': factorList([], ['totp']),
  'two-factor-list-required': factorList([], ['totp', 'email', 'passkey'], { mustEnrol: true, recommended: 'passkey' }),
  'two-factor-add-totp': addFactor('totp'),
  'two-factor-add-totp-wrong': addFactor('totp', { error: 'InvalidCode' }),
  'two-factor-add-totp-without-qr': addFactor('totp', { withoutQr: true }),
  'two-factor-add-email': addFactor('email'),
  'two-factor-add-email-sent': addFactor('email', { isSent: true }),
  'two-factor-add-email-wrong': addFactor('email', { isSent: true, error: 'InvalidCode' }),
  'two-factor-add-passkey': addFactor('passkey'),
  'two-factor-add-passkey-wrong': addFactor('passkey', { error: 'InvalidCode' }),
  'two-factor-codes': (frame) =>
    renderRecoveryCodes({ frame, codes: recoveryCodes, action: twoFactor, csrfToken: 'token', nextUrl: '/' }),
  connect: (frame) =>
    renderConnect({
      frame,
      action: '/auth/signin/google',
      csrfToken: 'token',
      callbackUrl: '/calendar',
      sealedConnection: 'sealed',
      provider: 'Google',
      userLabel: 'ada@example.com',
    }),
  continue: (frame) => renderContinue({ frame, to: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=x' }),
}

const svg = (
  color: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 44"><rect width="44" height="44" rx="10" fill="${color}"/>
<path d="M12 30 22 12l10 18z" fill="#fff"/><text x="56" y="30" font-family="sans-serif" font-size="22" font-weight="700" fill="${color}">Acme</text></svg>`

/** The pictures of the site, by path. */
const logoColors: ReadonlyMap<string, string> = new Map([
  [logo, '#0b7a4b'],
  [logoDark, '#6fd6a8'],
])

/** The site's logos as SVG, by path. */
export const logos = [...logoColors].map(([path, color]) => ({ path, svg: svg(color) }))

/** The languages whose pages are checked: from right to left, without spaces, and with long words. */
export const languages = Object.entries({ ar, de, ja }).map(([locale, messages]) => ({ locale, messages }))

/** Serves each state at `/<name>`, with `?language=<tag>` in a language, under a policy as strict as the Router's. */
export function showStates(): Promise<LoopbackServer> {
  return startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.slice(1)
    const language = languages.find(({ locale }) => locale === searchParams.get('language')) ?? english
    const logoColor = logoColors.get(`/${name}`)
    if (logoColor) return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg(logoColor))
    const render = Object.hasOwn(states, name) ? states[name] : undefined
    if (!render) return void response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; img-src 'self' data:; style-src 'nonce-of-the-page'; form-action 'self'; base-uri 'none'; " +
        "script-src 'nonce-of-the-page'; connect-src 'self'",
    })
    response.end(render({ nonce: 'of-the-page', theme: {}, language, host: 'app.example.com' }))
  })
}
