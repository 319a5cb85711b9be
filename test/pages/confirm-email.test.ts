import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderConfirmEmail } from '../../lib/pages/index.js'

type Page = Parameters<typeof renderConfirmEmail>[0]

function render(rest: Partial<Page> = {}): string {
  return renderConfirmEmail({
    frame: { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' },
    action: '/auth/callback/email',
    csrfToken: 'csrf',
    fields: { token: 't0ken', email: 'ada@app.test', callbackUrl: 'https://app.test/next' },
    address: 'ada@app.test',
    ...rest,
  })
}

/** Returns the hidden fields of the form, in order. */
function fields(page: string): [string | undefined, string | undefined][] {
  return [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
    name,
    value,
  ])
}

describe('renderConfirmEmail(page)', () => {
  it('names the site and the address, and asks', () => {
    const page = render()
    expect(page).to.include('<h1>Confirm your sign-in</h1>')
    expect(page).to.include('<strong>app.test</strong> as <strong><bdi>ada@app.test</bdi></strong>')
    expect(page).to.include('<span>Sign in as <bdi>ada@app.test</bdi></span></button>')
    expect(page).to.include('only if you asked for this link yourself')
    expect(page).to.include('<a href="/">Cancel</a>')
  })

  it('is one form that posts what the link said, and works without a script', () => {
    const page = render()
    expect(page.match(/<form /g)).to.have.length(1)
    expect(page).to.include('<form method="post" action="/auth/callback/email">')
    expect(page).to.not.include('<script')
    expect(fields(page)).to.have.deep.members([
      ['csrfToken', 'csrf'],
      ['callbackUrl', 'https://app.test/next'],
      ['navigation', 'form'],
      ['token', 't0ken'],
      ['email', 'ada@app.test'],
    ])
  })

  it('needs no callback URL, and takes fields that it does not know', () => {
    expect(fields(render({ fields: { token: 't', attempt: 'a' } }))).to.have.deep.members([
      ['csrfToken', 'csrf'],
      ['navigation', 'form'],
      ['token', 't'],
      ['attempt', 'a'],
    ])
  })

  it('does not let a link set the fields of our form', () => {
    const page = render({ fields: { token: 't', csrfToken: 'theirs', navigation: 'theirs' } })
    expect(page).to.not.include('theirs')
    expect(fields(page).filter(([name]) => name === 'csrfToken')).to.have.length(1)
  })

  it('says what it does to who is signed in', () => {
    const words = {
      'other-user': 'signs you in as the owner of this address instead',
      'new-user': 'makes a new account for this address',
      prove: 'proves that the address is yours',
    } as const
    for (const [effect, text] of Object.entries(words)) {
      expect(render({ effect: effect as keyof typeof words })).to.include(text)
      expect(render()).to.not.include(text)
    }
    expect(render({ effect: 'sign-in' })).to.equal(render())
  })

  it('escapes what came from the link, and shortens it', () => {
    const evil = '"><script>alert(1)</script>'
    const page = render({
      address: evil,
      fields: { token: evil, email: evil, [evil]: evil },
      action: 'javascript:alert(1)',
    })
    expect(page).to.not.include('<script').and.not.include('javascript:')
    expect(page).to.include('action="/"')
    expect(render({ address: 'x'.repeat(10_000) }).length).to.be.below(render().length + 600)
  })
})
