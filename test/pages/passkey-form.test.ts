import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { passkeyScript } from '../../lib/generated/passkey-script.js'
import { renderSignIn, type SignInEntry } from '../../lib/pages/index.js'
import type { CredentialInput } from '../../lib/types/provider-parts.js'

type PasskeyEntry = Extract<SignInEntry, { kind: 'passkey' }>

const inputs = { email: { label: 'Email address', type: 'email', autocomplete: 'username webauthn' } }

function passkey(rest: Partial<PasskeyEntry> = {}): PasskeyEntry {
  const [id, name] = [rest.id ?? 'passkey', 'Passkey']
  const urls = { action: `/auth/callback/${id}`, optionsUrl: `/auth/webauthn-options/${id}` }
  return { kind: 'passkey', id, name, ...urls, inputs, conditional: true, sendsEmail: false, ...rest }
}

const google: SignInEntry = { kind: 'redirect', id: 'google', name: 'Google', action: '/auth/signin/google', style: {} }
const email: SignInEntry = { kind: 'email', id: 'email', name: 'Email', action: '/auth/signin/email' }

function render(...entries: SignInEntry[]): string {
  const frame = { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }
  return renderSignIn({ frame, entries, csrfToken: 'token', callbackUrl: 'https://app.test/' })
}

/** The tags of one kind, in their order. */
function tags(page: string, name: string): string[] {
  return page.replace(/<script[^>]*>.*?<\/script>/s, '').match(new RegExp(`<${name}\\b[^>]*>`, 'g')) ?? []
}

describe('renderSignIn(page): passkeys', () => {
  it('offers passkeys at the inputs of the other forms too', () => {
    const password: SignInEntry = {
      kind: 'credentials',
      id: 'credentials',
      name: 'Password',
      action: '/auth/callback/credentials',
      inputs: { username: {}, nickname: {}, login: { autocomplete: 'off' }, password: { type: 'password' } },
    }
    const autocompleteOf = (...entries: SignInEntry[]) =>
      tags(render(...entries), 'input').flatMap((tag) => /autocomplete="([^"]*)"/.exec(tag)?.[1] ?? [])
    const suggesting = ['email webauthn', 'username webauthn', 'off', 'current-password']
    expect(autocompleteOf(passkey({ inputs: {} }), email, password)).to.deep.equal(suggesting)
    const plain = ['email', 'username', 'off', 'current-password']
    expect(autocompleteOf(passkey({ inputs: {}, conditional: false }), email, password)).to.deep.equal(plain)
    expect(autocompleteOf(passkey(), email, password)).to.deep.equal(['username webauthn', ...suggesting])
    expect(autocompleteOf(email, password)).to.deep.equal(plain)
  })

  it('has the ids and marks of the published page, and what every form carries', () => {
    const page = render(passkey())
    expect(tags(page, 'form')).to.deep.equal([
      '<form method="post" action="/auth/callback/passkey" id="passkey-form" data-passkey="passkey-note" data-options-url="/auth/webauthn-options/passkey" data-conditional hidden>',
    ])
    expect(tags(page, 'input')).to.deep.equal([
      '<input type="hidden" name="csrfToken" value="token">',
      '<input type="hidden" name="callbackUrl" value="https://app.test/">',
      '<input type="hidden" name="navigation" value="form">',
      '<input type="hidden" name="action">',
      '<input type="hidden" name="data">',
      '<input data-form-field id="input-email-for-passkey-provider" name="email" type="email" autocomplete="username webauthn" autocapitalize="none" spellcheck="false" required>',
    ])
    expect(tags(page, 'button')).to.deep.equal([
      '<button type="button" class="button" id="submitButton-passkey" data-passkey-action="authenticate">',
      '<button type="submit" class="button quiet" id="registerButton-passkey" data-passkey-action="register">',
    ])
    expect(page).to.include('<div role="alert" id="passkey-message"></div>')
  })

  it('is hidden until its script shows it; without a script there is a sentence instead', () => {
    const page = render(passkey())
    expect(page).to.include('<noscript><p class="text">Signing in with a passkey needs JavaScript.</p></noscript>')
    expect(page).to.include('<p class="text" id="passkey-note" hidden></p>')
  })

  it('marks every input whose value goes along, also in a label', () => {
    const declared = { email: {}, news: { type: 'checkbox' }, tenant: { type: 'hidden', value: '<input' } }
    const marked = tags(render(passkey({ inputs: declared })), 'input').filter((tag) => tag.includes('data-form-field'))
    expect(marked.map((tag) => / name="(\w+)"/.exec(tag)?.[1])).to.deep.equal(['email', 'news', 'tenant'])
    expect(marked[2]).to.include('value="&#60;input"')
  })

  it('needs an address for an account, unless the developer says that it does not', () => {
    const field = (input: CredentialInput) => tags(render(passkey({ inputs: { email: input } })), 'input').at(-1)
    expect(field({})).to.include(' required')
    expect(field({ required: false })).to.not.include(' required')
  })

  it('has one button where no account is made here', () => {
    const page = render(passkey({ inputs: {}, sendsEmail: true }))
    expect(tags(page, 'button')).to.deep.equal([
      '<button type="button" class="button" id="submitButton-passkey" data-passkey-action="authenticate">',
    ])
    expect(page).to.not.include('data-form-field id').and.not.include('new here?')
  })

  it('puts the fields first where a passkey may not be found without them', () => {
    const order = (sendsEmail: boolean) =>
      [...render(passkey({ sendsEmail })).matchAll(/ id="((?:submitButton|input|registerButton)-[^"]*)"/g)].map(
        ([, id]) => id,
      )
    const [button, field, register] = order(false)
    expect([button, field, register]).to.deep.equal([
      'submitButton-passkey',
      'input-email-for-passkey-provider',
      'registerButton-passkey',
    ])
    expect(order(true)).to.deep.equal([field, button, register])
    const named = render(passkey({ sendsEmail: true }))
    expect(named).to.include(' data-sends-email hidden>')
    expect(named).to.include('<button type="submit" formnovalidate class="button" id="submitButton-passkey"')
  })

  it('says by attributes what its script may do', () => {
    const [form] = tags(render(passkey({ conditional: false })), 'form')
    expect(form).to.not.include('data-conditional').and.not.include('data-sends-email')
  })

  it('names the provider when there are several, gives each id once, and one script', () => {
    const page = render(passkey(), passkey({ id: 'webauthn', name: '<Key>' }))
    expect(page).to.include('<span>Sign in with a passkey (Passkey)</span>')
    expect(page).to.include('<span>Sign in with a passkey (&#60;Key&#62;)</span>')
    expect(page).to.include('>Create an account with a passkey (&#60;Key&#62;)</button>')
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(page.match(/<script\b/g)).to.have.length(1)
    expect(render(passkey())).to.include('<span>Sign in with a passkey</span>')
  })

  it('is set off from buttons and forms, and leaves them as they are', () => {
    const page = render(google, passkey(), email)
    expect(page.match(/<p class="or">or<\/p>/g)).to.have.length(2)
    expect(page).to.include('<button type="submit" class="button quiet" id="submitButton">Send me a link</button>')
  })

  it('has its script with the nonce, and no page without a passkey has one', () => {
    const page = render(google, passkey(), email)
    expect(page).to.include(`<script nonce="n0nce">${passkeyScript}</script>`)
    expect(page.indexOf('<script')).to.be.greaterThan(page.lastIndexOf('</form>'))
    expect(render(google, email)).to.not.include('<script').and.not.include('noscript')
  })

  it('fits its policy whatever it is given: nothing runs but the script, and every URL is one of the web', () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
    const urls = { action: 'javascript:alert(1)', optionsUrl: `javascript:${hostile}` }
    const input = { label: hostile, placeholder: hostile, onfocus: 'alert(1)', autocomplete: hostile }
    const page = render(passkey({ id: hostile, name: hostile, ...urls, inputs: { [hostile]: input } }))
    expect(page.match(/<script\b[^>]*>/g)).to.deep.equal(['<script nonce="n0nce">'])
    expect(page).to.not.match(/<img|javascript:|\sonfocus=/)
    expect(page).to.include('action="/" id=').and.include('data-options-url="/"')
    for (const tag of tags(page.replace(/"[^"]*"/g, '""'), '\\w+')) {
      expect(tag).to.not.match(/\s(?:on[a-z]+|style|src|formaction)\b/)
    }
  })
})
