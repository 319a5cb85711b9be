/** Options of earlier versions, and their replacement. Messages show it where somebody still sets one of them. */

const log = 'is now part of a store: `session: { revocation: { store: { log: { add, replace, find } } } }`.'

/** The replacements, by the path of the option. `*` stands for the id of a provider. */
const moved: Readonly<Record<string, string>> = {
  assurance:
    'is now part of `factors`: `factors: { methods: [Totp()], require, whenEnrolled, remember, passkeyIsEnough, store }`.',
  'factors.pages': 'is now part of `pages`: `pages: { twoFactor, twoFactorSetup }`.',
  questionPages: 'is now part of `pages`: `pages: { confirmEmail, changeEmail, connect }`.',
  'pages.forgot': 'is now `pages.forgotPassword`.',
  'pages.reset': 'is now `pages.resetPassword`.',
  'pages.change': 'is now `pages.changePassword`.',
  'providers.*.pages':
    'is now part of the option `pages`: `pages: { signUp, forgotPassword, resetPassword, changePassword }`.',
  'session.revocation.add': log,
  'session.revocation.replace': log,
  'session.revocation.find': log,
  'jwt.cache': 'is removed: the process always remembers the session tokens that it opened twice.',
  'providers.*.verifyAuthenticationOptions': verification('authenticationOptions: { userVerification }'),
  'providers.*.verifyRegistrationOptions': verification(
    'registrationOptions: { authenticatorSelection: { userVerification } }',
  ),
}

function verification(option: string): string {
  return `is removed: an answer needs user verification where \`${option}\` is "required". Set that option.`
}

/** Returns the words about an option that has moved; `undefined` for any other. */
export function movedTo(path: string): string | undefined {
  const name = path.replace(/^providers\.[^.]+/, 'providers.*')
  return Object.hasOwn(moved, name) ? moved[name] : undefined
}
