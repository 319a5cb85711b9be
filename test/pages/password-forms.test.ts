import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import type { PasswordPageFacts } from '../../lib/contracts/index.js'
import { passwordContent, renderPassword, renderSignIn } from '../../lib/pages/index.js'
import Password from '../../lib/providers/password.js'
import type { Theme } from '../../lib/types/theme.js'

const frameWith = (theme: Theme) => ({ nonce: 'n0nce', theme, language: english, host: 'app.test' })

function passwordPage(facts: PasswordPageFacts, theme: Theme = {}): string {
  const frame = frameWith(theme)
  const { fields = [], button, ...content } = passwordContent(frame, facts, { minLength: 15, signInUrl: '/signin' })
  const form = { action: '/auth/signup/password', csrfToken: 'token', fields, button }
  return renderPassword({ frame, name: 'sign-up', ...content, form })
}

function signInPage(links: { forgotUrl?: string; signUpUrl?: string }, theme: Theme = {}): string {
  const entry = {
    ...({ kind: 'credentials', id: 'password', name: 'Password', action: '/auth/callback/password' } as const),
    inputs: Password().credentials,
    ...links,
  }
  return renderSignIn({ frame: frameWith(theme), entries: [entry], csrfToken: 'token', callbackUrl: '/' })
}

describe('a form with a password', () => {
  it('says the rule for its length in a sentence, which screen readers read with the input', () => {
    const page = passwordPage({ step: 'signUp', callbackUrl: '/' })
    const hint = /<p class="hint" id="([^"]+)">At least 15 characters\. /.exec(page)?.[1] ?? 'none'
    const [tag = ''] = /<input[^>]*type="password"[^>]*>/.exec(page) ?? []
    expect(tag).to.include(`aria-describedby="${hint}"`).and.include('minlength="15"')
    expect(page.match(/At least 15 characters/g)).to.have.length(1)
  })

  it('has no rule beside the current password', () => {
    const page = passwordPage({ step: 'change', change: 'current', email: 'ann@app.test', callbackUrl: '/' })
    const [tag = ''] = /<input[^>]*autocomplete="current-password"[^>]*>/.exec(page) ?? []
    expect(tag).to.not.equal('').and.not.include('aria-describedby')
  })

  it('has the link for a forgotten password beside it, after it in the order of the keyboard', () => {
    const page = signInPage({ forgotUrl: '/auth/password/forgot', signUpUrl: '/auth/signup/password' })
    const [field = ''] = /<div class="with-link">[\s\S]*?<\/a><\/div>/.exec(page) ?? []
    expect(field).to.match(/<label[^>]*>Password<\/label>.*type="password".*>Forgot your password\?<\/a><\/div>$/)
    expect(page.indexOf('Forgot your password?')).to.be.below(page.indexOf('id="submitButton"'))
    expect(page.indexOf('>Create an account</a>')).to.be.above(page.indexOf('id="submitButton"'))
  })

  it('has no such link without a page for it', () => {
    expect(signInPage({})).to.not.include('Forgot your password?').and.not.include('class="with-link"')
  })

  it('can show the password by a script with the nonce of the policy, unless that is off', () => {
    for (const page of [signInPage({}), passwordPage({ step: 'signUp', callbackUrl: '/' })]) {
      expect(page.match(/<script[^>]*>/g)).to.deep.equal(['<script nonce="n0nce">'])
      expect(page).to.include('data-show="Show password"')
    }
    const off = { showPassword: false }
    for (const page of [signInPage({}, off), passwordPage({ step: 'signUp', callbackUrl: '/' }, off)]) {
      expect(page).to.not.include('<script').and.not.include('data-show')
    }
  })
})
