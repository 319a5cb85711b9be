import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { html } from '../../lib/pages/html.js'
import { preparePage } from '../../lib/pages/prepared-page.js'
import { prepareSignIn, renderSignIn, type SharedSignInPage } from '../../lib/pages/sign-in.js'

describe('preparePage(names, render)', () => {
  it('renders once, and puts each value wherever its mark is', () => {
    let rendered = 0
    const page = preparePage(['one', 'two'], ({ one, two }) => {
      rendered += 1
      return html`<p title="${one}">${two}, ${one}</p>`.toString()
    })
    expect(page({ one: '1', two: '2' })).to.equal('<p title="1">2, 1</p>')
    expect(page({ one: 'a', two: 'b' })).to.equal('<p title="a">b, a</p>')
    expect(rendered).to.equal(1)
  })

  it('escapes the values as a template does', () => {
    const page = preparePage(['value'], ({ value }) => html`<p title="${value}">${value}</p>`.toString())
    for (const value of ['<script>', '"><img onerror=`1`>', "' onclick='", '&amp;', '$&', '$1', '']) {
      expect(page({ value })).to.equal(html`<p title="${value}">${value}</p>`.toString())
    }
  })

  it('takes no value for the mark of another', () => {
    let stolen = ''
    const page = preparePage(['one', 'two'], ({ one, two }) => {
      stolen = two
      return `${one} ${two}`
    })
    expect(page({ one: stolen, two: 'secret' })).to.equal(`${stolen} secret`)
  })
})

describe('prepareSignIn(page)', () => {
  const common: SharedSignInPage = {
    frame: { theme: { name: 'Acme & Sons', brandColor: '#123456' }, language: english, host: 'app.example' },
    entries: [
      { kind: 'redirect', id: 'op', name: 'O"P', action: 'https://app.example/auth/signin/op', style: { bg: '#fff' } },
      { kind: 'email', id: 'mail', name: 'Mail', action: 'https://app.example/auth/signin/mail' },
      {
        kind: 'credentials',
        id: 'credentials',
        name: 'Password',
        action: 'https://app.example/auth/callback/credentials',
        inputs: { username: {}, password: {} },
      },
      {
        kind: 'passkey',
        id: 'passkey',
        name: 'Passkey',
        action: 'https://app.example/auth/callback/passkey',
        optionsUrl: 'https://app.example/auth/webauthn-options/passkey',
        inputs: { email: {} },
        conditional: true,
        sendsEmail: false,
      },
    ],
  }

  it('is what the page itself would be, for each visitor', () => {
    const prepared = prepareSignIn(common)
    for (const [nonce, csrfToken, callbackUrl] of [
      ['n1', 'a'.repeat(64), 'https://app.example/'],
      ['n2', 'b'.repeat(64), `https://app.example/?a="><script>&b='\`$&`],
      ['n3', '', `https://app.example/${'x'.repeat(2100)}`],
    ] as const) {
      const frame = { ...common.frame, nonce }
      expect(prepared({ nonce, csrfToken, callbackUrl })).to.equal(
        renderSignIn({ ...common, frame, csrfToken, callbackUrl }),
      )
    }
  })
})
