import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { errorStatus, renderError } from '../../lib/pages/index.js'

function render(error: string | undefined, detail?: string): string {
  const frame = { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }
  return renderError({ frame, error, signInUrl: '/auth/signin', homeUrl: 'https://app.test/', detail })
}

const signInLink = '<a class="button" href="/auth/signin">Sign in</a>'
const neutral = render(undefined)

describe('renderError(page) and errorStatus(error)', () => {
  const known = {
    Configuration: { status: 500, heading: 'This site has a problem', signIn: false },
    AccessDenied: { status: 403, heading: 'Access denied', signIn: true },
    Verification: { status: 403, heading: 'This link does not work any more', signIn: true },
    InvalidCheck: { status: 400, heading: 'Please start again', signIn: true },
    WebAuthnVerificationError: { status: 400, heading: 'Your passkey was not accepted', signIn: true },
    InvalidProvider: { status: 404, heading: 'Unknown sign-in method', signIn: true },
    InvalidRequest: { status: 400, heading: 'This request was not understood', signIn: false },
    CaptchaUnavailable: { status: 503, heading: 'Please try again later', signIn: true },
    PasswordRejected: { status: 400, heading: 'This password cannot be used', signIn: false },
    PasswordsBusy: { status: 503, heading: 'Please try again in a moment', signIn: true },
    TooManyRequests: { status: 429, heading: 'Too many tries', signIn: true },
  }
  for (const [error, { status, heading, signIn }] of Object.entries(known)) {
    it(`${error} is ${status}: ${heading}`, () => {
      const page = render(error)
      expect(errorStatus(error)).to.equal(status)
      expect(page).to.include(`<h1>${heading}</h1>`).and.include('<a href="https://app.test/">Go to app.test</a>')
      expect(page.includes(signInLink)).to.equal(signIn)
    })
  }

  it('says why a sign-in must start again', () => {
    expect(render('InvalidCheck')).to.include('took too long, was opened in another browser, or was already used')
  })

  it('says why a passkey may not be accepted, and what to do', () => {
    expect(render('WebAuthnVerificationError'))
      .to.include('It took too long, it was made for another site or account, or this site does not know it any more')
      .and.include('Please try again, or sign in another way.')
  })

  it('says why a link may not work, and how to get another', () => {
    expect(render('Verification'))
      .to.include('already used, it is too old, or a newer one was sent')
      .and.include('Sign in again to get a new link')
  })

  it('is neutral without an error', () => {
    expect(errorStatus(undefined)).to.equal(200)
    expect(neutral)
      .to.include('<h1>Something went wrong</h1>')
      .and.include('>Go to app.test</a>')
      .and.not.include(signInLink)
  })

  const unknown = [
    'constructor',
    '__proto__',
    'toString',
    '',
    '<script>alert(1)</script>',
    '"><img',
    '\0',
    'x'.repeat(10_000),
  ]
  for (const error of unknown) {
    it(`is the neutral page, to the letter, for ${JSON.stringify(error).slice(0, 30)}`, () => {
      expect(errorStatus(error)).to.equal(200)
      expect(render(error)).to.equal(neutral)
    })
  }

  it('offers to try again after a fault of the site, and speaks to a visitor', () => {
    const frame = { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }
    const urls = { signInUrl: '/auth/signin', retryUrl: '/auth/two-factor', homeUrl: 'https://app.test/' }
    const page = renderError({ frame, error: 'Configuration', ...urls, reference: '4f1c09ab' })
    expect(page).to.include('<a class="button" href="/auth/two-factor">Try again</a>').and.not.include('>Sign in</a>')
    expect(page).to.include('it is not your fault').and.include('Reference: <code>4f1c09ab</code>')
    expect(page).to.not.match(/server|log\b|configuration/i)
  })

  it('shows the detail for developers, escaped and cut', () => {
    const page = render('Configuration', `<b>Set AUTH_URL</b>${'x'.repeat(10_000)}`)
    expect(page).to.include('For developers</h2>').and.include('<pre>&#60;b&#62;Set AUTH_URL&#60;/b&#62;x')
    expect(page.length).to.be.below(render('Configuration').length + 4_500)
  })

  it('shows no such block without detail', () => {
    expect(render('Configuration', '')).to.equal(render('Configuration')).and.not.include('For developers')
  })
})
