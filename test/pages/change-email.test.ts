import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderChangeEmail, renderNotice } from '../../lib/pages/index.js'

type Page = Parameters<typeof renderChangeEmail>[0]

const ask = { from: 'ada@old.test', fields: { change: 's3aled' } }

function render(rest: Partial<Page> = {}): string {
  return renderChangeEmail({
    frame: { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' },
    action: '/auth/callback/email',
    csrfToken: 'csrf',
    signInUrl: '/auth/signin',
    signOutUrl: '/auth/signout',
    change: { to: 'ada@new.test', ask },
    ...rest,
  })
}

describe('renderChangeEmail(page)', () => {
  it('says what happens, and asks', () => {
    const page = render({ userLabel: 'Ada' })
    expect(page).to.include('becomes <strong><bdi>ada@new.test</bdi></strong>')
    expect(page).to.include('It was <strong><bdi>ada@old.test</bdi></strong>.')
    expect(page).to.include('You are signed in as <strong><bdi>Ada</bdi></strong>.')
    expect(page)
      .to.include('<form method="post" action="/auth/callback/email">')
      .and.include('>Change the address</button>')
    expect(page.match(/<input [^>]*>/g)).to.deep.equal([
      '<input type="hidden" name="csrfToken" value="csrf">',
      '<input type="hidden" name="navigation" value="form">',
      '<input type="hidden" name="change" value="s3aled">',
    ])
  })

  it('says so where there was no address', () => {
    expect(render({ change: { to: 'a@b.test', ask: { ...ask, from: null } } })).to.include('It had none.')
  })

  it('has no form for other users, and leads to the sign-in page', () => {
    const page = render({ change: { to: 'ada@new.test' } })
    expect(page).to.not.include('<form').and.not.include('ada@old.test')
    expect(page).to.include('You are not signed in in this browser').and.include('<a href="/auth/signin">Sign in</a>')
    const bobs = render({ change: { to: 'a@b.test' }, userLabel: 'bob@app.test' })
    expect(bobs).to.include('<bdi>bob@app.test</bdi>').and.include('<a href="/auth/signout">Sign out</a>')
    expect(bobs, 'where another sign-in would be linked').to.not.include('/auth/signin')
  })

  it('escapes texts of users', () => {
    const evil = '"><script>alert(1)</script>'
    const page = render({ userLabel: evil, change: { to: evil, ask: { from: evil, fields: { change: evil } } } })
    expect(page).to.not.include('<script')
  })
})

describe('renderNotice(notice)', () => {
  it('says the same as HTML and as text, and leads nowhere', () => {
    const { subject, html, text } = renderNotice({
      host: 'app.test',
      theme: { name: 'Acme & Sons' },
      language: english,
    })
    expect(subject).to.equal('Your address at Acme & Sons was changed')
    for (const body of [html.replaceAll('&#38;', '&'), text]) {
      expect(body).to.include('no longer the address of your account at Acme & Sons')
      expect(body).to.include('It was not you?')
      expect(body).to.not.match(/https?:|href/)
    }
  })

  it('names no host that is none', () => {
    expect(renderNotice({ host: 'x y', theme: {}, language: english }).subject).to.equal(
      'Your address at this site was changed',
    )
  })
})
