import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import type { SignInEntry } from '../../lib/pages/index.js'
import { renderSignIn } from '../../lib/pages/index.js'
import type { CredentialInput, OAuthProviderButtonStyles } from '../../lib/types/provider-parts.js'

const frame = { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }

function redirect(name: string, style: OAuthProviderButtonStyles = {}): SignInEntry {
  return { kind: 'redirect', id: name.toLowerCase(), name, action: `/auth/signin/${name.toLowerCase()}`, style }
}

function credentials(inputs: Record<string, CredentialInput>, id = 'credentials'): SignInEntry {
  return { kind: 'credentials', id, name: 'Credentials', action: `/auth/callback/${id}`, inputs }
}

function email(id = 'email', name = 'Email'): SignInEntry {
  return { kind: 'email', id, name, action: `/auth/signin/${id}` }
}

function render(entries: readonly SignInEntry[], rest: { error?: string; callbackUrl?: string } = {}): string {
  return renderSignIn({ frame, entries, csrfToken: 'token', callbackUrl: 'https://app.test/', ...rest })
}

/** The tag of the input of one field. */
function input(field: string, declared: CredentialInput): string {
  const page = render([credentials({ [field]: declared })])
  return page.match(/<input[^>]*>/g)?.find((tag) => tag.includes(`id="input-${field}-for-`)) ?? ''
}

/** The text of the error message, as it is in the page. */
function message(error: string | undefined): string | undefined {
  return /<div class="error" role="alert"><p>(.*?)<\/p><\/div>/.exec(render([redirect('Op')], { error }))?.[1]
}

describe('renderSignIn(page): providers', () => {
  it('has a button with initials in the brand colour', () => {
    const page = render([
      redirect('Google', { brandColor: '#1a73e8' }),
      redirect('GitHub'),
      redirect('Microsoft Entra ID'),
    ])
    expect(page).to.include('<form method="post" action="/auth/signin/google">')
    expect(page).to.include('<button type="submit" class="provider primary provider-0">')
    expect(page).to.include('<button type="submit" class="provider provider-1">')
    expect(page).to.include('<span>Sign in with Google</span>')
    expect(page).to.include('.provider-0 .badge{background:#1a73e8;color:#fff}')
    const initials = [...page.matchAll(/aria-hidden="true">([^<]*)</g)].map((found) => found[1])
    expect(initials).to.deep.equal(['G', 'GH', 'ME'])
  })

  it('shows a configured logo instead', () => {
    const page = render([redirect('Op', { logo: 'https://cdn.test/op.svg?a&b' })])
    expect(page).to.include('<img src="https://cdn.test/op.svg?a&#38;b" alt="" width="28" height="28">')
  })

  it('loads nothing where no logo is configured or it is not allowed', () => {
    expect(render([redirect('Op'), redirect('Other', { logo: '//evil.test/x.svg' })])).to.not.include('src=')
  })

  it('sets forms off with "or", and buttons not from each other', () => {
    const form = (id: string) => credentials({ user: {} }, id)
    const dividers = (entries: SignInEntry[]) => render(entries).match(/<p class="or">or<\/p>/g)?.length ?? 0
    expect(dividers([redirect('A'), redirect('B')])).to.equal(0)
    expect(dividers([redirect('A'), redirect('B'), form('c')])).to.equal(1)
    expect(dividers([form('a'), redirect('B'), form('c'), form('d')])).to.equal(3)
  })

  it('says that there is no sign-in method', () => {
    expect(render([])).to.include('no sign-in method').and.not.include('<form')
  })

  it('leaves out a callback URL that is too long, whole', () => {
    const page = render([redirect('A')], { callbackUrl: `https://app.test/${'x'.repeat(10_000)}` })
    expect(page).to.include('name="callbackUrl" value=""')
  })
})

describe('renderSignIn(page): what comes first', () => {
  const primary = (entries: SignInEntry[]) =>
    [...render(entries).matchAll(/<button type="\w+"[^>]*? class="([^"]*)"/g)].map(([, names = '']) =>
      names.includes('primary') || names === 'button' ? 'filled' : 'outlined',
    )
  const passkey: SignInEntry = {
    kind: 'passkey',
    id: 'passkey',
    name: 'Passkey',
    action: '/auth/callback/passkey',
    optionsUrl: '/auth/webauthn-options/passkey',
    inputs: { email: {} },
    conditional: false,
    sendsEmail: false,
  }

  it('is filled in colour, and all the rest is outlined', () => {
    expect(primary([redirect('A')])).to.deep.equal(['filled'])
    expect(primary([redirect('A'), redirect('B'), email(), credentials({ a: {} })])).to.deep.equal([
      'filled',
      'outlined',
      'outlined',
      'outlined',
    ])
    expect(primary([credentials({ a: {} }), redirect('A')])).to.deep.equal(['filled', 'outlined'])
    expect(primary([credentials({}), email(), redirect('A')])).to.deep.equal(['filled', 'outlined'])
    expect(primary([passkey, redirect('A')])).to.deep.equal(['filled', 'outlined', 'outlined'])
    expect(primary([redirect('A'), passkey])).to.deep.equal(['filled', 'outlined', 'outlined'])
  })
})

describe('renderSignIn(page): a signed-in user', () => {
  const ann = { name: 'Ann <b>', email: 'ann@app.test' }
  function note(entries: SignInEntry[], links: boolean): string {
    const signedIn = { user: ann, signOutUrl: '/auth/signout', links }
    const page = renderSignIn({ frame, entries, csrfToken: 'token', callbackUrl: '/', signedIn })
    return /<div class="note" role="note">([\s\S]*?)<form/.exec(page)?.[1] ?? ''
  }

  it('shows the name, and how to sign out', () => {
    const told = note([redirect('Google')], false)
    expect(told).to.include('already signed in').and.include('<bdi>Ann &#60;b&#62;</bdi>').and.include('ann@app.test')
    expect(told).to.include('<a href="/auth/signout">Sign out</a>')
    expect(render([redirect('Google')])).to.not.include('already signed in')
  })

  it('shows what is added to the account, and what begins another session', () => {
    expect(note([redirect('Google')], true)).to.include('a service such as Google, it is added to your account. <a')
    expect(note([redirect('Google'), email()], true))
      .to.include('added to your account')
      .and.include('Any other sign-in method starts a new session')
    for (const told of [note([redirect('Google')], false), note([email(), credentials({ a: {} })], true)]) {
      expect(told).to.include('begins a new session').and.not.include('added')
    }
  })
})

describe('renderSignIn(page): credentials', () => {
  it('wants every field but boxes, unless the input says otherwise', () => {
    expect(input('username', {})).to.include(' required')
    expect(input('password', { type: 'password', required: true })).to.include(' required')
    expect(input('company', { required: false })).to.not.include('required')
    for (const type of ['checkbox', 'hidden']) expect(input('remember', { type })).to.not.include('required')
    expect(input('terms', { type: 'checkbox', required: true })).to.include(' required')
  })

  it('shows the typed values again, except those that may be secret', () => {
    const inputs: Record<string, CredentialInput> = {
      username: { value: 'declared' },
      company: {},
      password: { type: 'password' },
      passphrase: { type: 'text', autocomplete: 'current-password' },
      code: {},
      PIN: { type: 'tel' },
      apiToken: {},
      card: { autocomplete: 'cc-number' },
      quiz: { autocomplete: 'off' },
      fixed: { value: 'stays', readonly: true },
      remember: { type: 'checkbox' },
    }
    const typed = Object.fromEntries(Object.keys(inputs).map((field) => [field, `typed-${field}"`]))
    const entry: SignInEntry = { ...credentials(inputs), typed } as SignInEntry
    expect(render([entry]).match(/typed-\w+&#34;/g)).to.deep.equal(['typed-username&#34;', 'typed-company&#34;'])
    expect(render([entry]))
      .to.include('value="stays"')
      .and.not.include('declared')
  })

  it('has a labelled input per field', () => {
    const page = render([credentials({ username: { label: 'User <name>' }, password: { type: 'password' } })])
    expect(page).to.include('<form method="post" action="/auth/callback/credentials">')
    expect(page).to.include('<label for="input-username-for-credentials-provider">User &#60;name&#62;</label>')
    expect(page).to.include('<label for="input-password-for-credentials-provider">Password</label>')
    expect(page).to.include('<input id="input-username-for-credentials-provider" name="username" type="text"')
    expect(page).to.include('<button type="submit" class="button" id="submitButton">Sign in</button>')
  })

  it('does not show a provider without inputs', () => {
    const page = render([redirect('A'), credentials({})])
    expect(page).to.not.include('callback/credentials').and.not.include('class="or"')
  })

  it('names the provider on the buttons of several forms, and gives the id once', () => {
    const page = render([credentials({ a: {} }, 'one'), credentials({ a: {} }, 'two')])
    expect(page.match(/>Sign in with Credentials</g)).to.have.length(2)
    expect(page.match(/id="submitButton"/g)).to.have.length(1)
  })

  it('passes the allowed attributes on, in any spelling', () => {
    const tag = input('pin', {
      type: 'TEL',
      placeholder: '"0000"',
      inputMode: 'numeric',
      maxLength: 4,
      pattern: '\\d{4}',
    })
    expect(tag).to.include('type="tel"').and.include('placeholder="&#34;0000&#34;"')
    expect(tag).to.include('inputmode="numeric"').and.include('maxlength="4"').and.include('pattern="\\d{4}"')
    expect(input('a', { required: true, autoFocus: true, readonly: false })).to.match(/ required autofocus>$/)
  })

  it('leaves every other attribute out', () => {
    const declared = {
      onfocus: 'alert(1)',
      onClick: 'alert(1)',
      formaction: 'https://evil.test',
      style: 'x',
      form: 'other',
      id: 'mine',
      name: 'mine',
      class: 'mine',
      'x" onfocus="alert(1)': 'x',
      min: { toString: () => 'object' },
    }
    expect(input('a', declared)).to.equal(
      '<input id="input-a-for-credentials-provider" name="a" type="text" required autofocus>',
    )
  })

  it('makes a type that is not one of a field a text field', () => {
    for (const type of ['submit', 'image', 'file', 'button', 'reset', 'constructor', '"><script>']) {
      expect(input('a', { type }), type).to.include('type="text"')
    }
  })

  it('never echoes the value of a password, and hides one whose type was forgotten', () => {
    expect(input('password', { type: 'PassWord', value: 'secret', Value: 'secret' })).to.not.include('secret')
    expect(input('password', { value: 'secret' }))
      .to.include('type="password"')
      .and.not.include('secret')
    expect(input('tenant', { value: 'acme' })).to.include('value="acme"')
  })

  it('tells password managers what a field is, unless the developer does', () => {
    expect(input('username', {})).to.include('autocomplete="username"').and.include('autocapitalize="none"')
    expect(input('contact', { type: 'email' })).to.include('autocomplete="username"')
    expect(input('secret', { type: 'password' })).to.include('autocomplete="current-password"')
    expect(input('otp', {})).to.include('autocomplete="one-time-code"')
    expect(input('company', {})).to.not.include('autocomplete')
    const own = input('password', { type: 'password', autoComplete: 'off' })
    expect(own).to.include('autocomplete="off"').and.not.include('current-password')
  })

  it('puts the label of a checkbox around it, and none on a hidden field', () => {
    const page = render([
      credentials({ remember: { type: 'checkbox', label: 'Stay' }, tenant: { type: 'hidden', value: 'a' } }),
    ])
    expect(page).to.match(/<label class="check" for="input-remember-for-credentials-provider"><input [^>]*><span>Stay</)
    expect(page).to.include('type="hidden" value="a"').and.not.include('Tenant')
  })
})

describe('renderSignIn(page): e-mail', () => {
  it('has one labelled input, and what every form carries', () => {
    const page = render([email()])
    expect(page).to.include('<form method="post" action="/auth/signin/email">')
    expect(page).to.include('<label for="input-email-for-email-provider">Email address</label>')
    expect(page).to.include('<input type="hidden" name="csrfToken" value="token">')
    expect(page).to.include('<input type="hidden" name="callbackUrl" value="https://app.test/">')
    expect(page).to.include('<input type="hidden" name="navigation" value="form">')
    expect(page).to.include('<button type="submit" class="button" id="submitButton">Send me a link</button>')
    const [tag = ''] = page.match(/<input id="input-email-for-email-provider"[^>]*>/) ?? []
    for (const attribute of ['type="email"', 'name="email"', 'inputmode="email"', 'autocomplete="email"']) {
      expect(tag).to.include(` ${attribute}`)
    }
    expect(tag)
      .to.include(' maxlength="254"')
      .and.include(' autocapitalize="none"')
      .and.match(/ required autofocus>$/)
  })

  it('is set off from buttons and other forms', () => {
    const page = render([redirect('A'), email(), credentials({ user: {} })])
    expect(page.match(/<p class="or">or<\/p>/g)).to.have.length(2)
    expect(page).to.include('>Send me a link</button>').and.include('>Sign in</button>')
    expect(page.match(/id="submitButton"/g)).to.have.length(1)
  })

  it('names the provider when there are several, and gives each id once', () => {
    const page = render([email('a', 'Post'), email('b', '<Pigeon>'), credentials({ email: {} }, 'c')])
    expect(page).to.include('>Send me a link with Post<').and.include('>Send me a link with &#60;Pigeon&#62;<')
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).to.have.length(4)
    expect(new Set(ids).size).to.equal(ids.length)
  })
})

describe('renderSignIn(page): errors', () => {
  const generic = 'Signing in did not work. Please try again, or choose another sign-in method.'
  const known = {
    OAuthAccountNotLinked: /signed in to it another way/,
    AccountNotLinked: /belongs to a different account/,
    EmailSignin: /email could not be sent/,
    EmailSignInError: /not an address we can send a link to/,
    CredentialsSignin: /details are not correct/,
    OAuthSignin: /could not be started/,
    OAuthSignInError: /could not be started/,
    OAuthCallbackError: /was not completed/,
    Callback: /was not completed/,
    OAuthCreateAccount: /could not be created/,
    EmailCreateAccount: /could not be created/,
    MissingCSRF: /out of date: it was open for too long/,
    Configuration: /site has a problem/,
  }
  for (const [error, text] of Object.entries(known)) {
    it(`has words for ${error}`, () => expect(message(error)).to.match(text))
  }

  it('says that a page needs a sign-in without alarm: nothing went wrong', () => {
    const page = render([redirect('Op')], { error: 'SessionRequired' })
    expect(page).to.include('<div class="note" role="status"><p>Please sign in to see this page.</p></div>')
    expect(page).to.not.include('role="alert"').and.not.include('class="error"')
  })

  it('shows no message without an error', () => {
    expect(message(undefined)).to.equal(undefined)
  })

  const unknown = ['constructor', '__proto__', 'toString', 'Nonsense', '<script>', '{{7*7}}', '\0', 'x'.repeat(10_000)]
  for (const error of unknown) {
    it(`says the general text for ${JSON.stringify(error).slice(0, 30)}, and never the type itself`, () => {
      expect(message(error)).to.equal(generic)
    })
  }
})
