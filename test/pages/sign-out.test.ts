import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderSignOut } from '../../lib/pages/index.js'
import type { User } from '../../lib/types/identity.js'

function render(user?: User | null, callbackUrl?: string): string {
  const frame = { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }
  const ways = { action: '/auth/signout', signInUrl: '/auth/signin', homeUrl: '/home' }
  return renderSignOut({ frame, ...ways, csrfToken: 'token', callbackUrl, user })
}

describe('renderSignOut(page)', () => {
  it('asks, by a form', () => {
    const page = render(undefined, '/bye?a&b')
    expect(page).to.include('<form method="post" action="/auth/signout">')
    expect(page).to.include('name="csrfToken" value="token"').and.include('name="callbackUrl" value="/bye?a&#38;b"')
    expect(page).to.include('<button type="submit" class="button" id="submitButton">Sign out</button>')
    expect(page).to.include('<a href="/home">Cancel</a>')
  })

  it('has no callback URL where none is given', () => {
    expect(render()).to.not.include('name="callbackUrl"')
  })

  it('shows who is signed in, and does not load their picture', () => {
    const page = render({ name: 'Ada Lovelace', email: 'ada@app.test', image: 'https://cdn.test/ada.png' })
    expect(page).to.include('<bdi>Ada Lovelace</bdi>').and.include('<bdi>ada@app.test</bdi>').and.include('>AL</span>')
    expect(page).to.not.include('cdn.test')
  })

  it('shows the address once where there is no name', () => {
    expect(render({ name: null, email: 'ada@app.test' }).match(/ada@app\.test/g)).to.have.length(1)
  })

  it('tells who is not signed in, with nothing to confirm', () => {
    const page = render(null)
    expect(page).to.include('You are not signed in to <strong>app.test</strong>')
    expect(page).to.include('<a class="button" href="/auth/signin">Sign in</a>').and.include('<a href="/home">')
    expect(page).to.not.include('<form').and.not.include('<button')
  })

  it('shows no user if none is known', () => {
    expect(render({ name: ' ', email: null })).to.not.include('class="user"')
    expect(render()).to.not.include('class="user"')
  })

  it('XS-04 escapes and cuts texts of a provider', () => {
    const page = render({ name: `<script>${'x'.repeat(10_000)}`, email: '"><img src=x onerror=alert(1)>' })
    expect(page).to.not.include('<script').and.not.include('<img')
    expect(page).to.include(`<bdi>&#60;script&#62;${'x'.repeat(91)}…</bdi>`)
  })
})
