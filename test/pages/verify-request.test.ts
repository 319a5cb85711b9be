import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderVerifyRequest, type VerifyRequestPage } from '../../lib/pages/index.js'

const signInUrl = 'https://app.test/auth/signin'
const mail = {
  address: 'ann@app.test',
  action: 'https://app.test/auth/signin/email',
  fields: { email: 'ann@app.test', again: '1' },
  callbackUrl: 'https://app.test/wanted',
}

function render(page: Partial<VerifyRequestPage> = {}): string {
  return renderVerifyRequest({
    frame: { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' },
    ...{ csrfToken: 't0ken', homeUrl: 'https://app.test/', signInUrl, hasOtherMethods: true },
    ...page,
  })
}

describe('renderVerifyRequest(page)', () => {
  it('says what to do, and leads back to the site', () => {
    const page = render()
    expect(page).to.include('<h1>Check your email</h1>').and.include('open it in this browser')
    expect(page).to.include('you are asked to confirm first').and.include('Only the newest one works')
    expect(page).to.include('<a href="https://app.test/">Go to app.test</a>').and.not.include('<form')
    expect(page).to.include(`<a href="${signInUrl}">Use another sign-in method</a>`)
  })

  it('shows the address to the browser that has asked for the email, and offers another one', () => {
    const page = render({ mail })
    expect(page).to.include('We sent a link to sign in to <strong><bdi>ann@app.test</bdi></strong>.')
    expect(page).to.include('<form method="post" action="https://app.test/auth/signin/email">')
    for (const [name, value] of Object.entries({ csrfToken: 't0ken', navigation: 'form', again: '1' })) {
      expect(page).to.include(`<input type="hidden" name="${name}" value="${value}">`)
    }
    expect(page).to.include('<button type="submit" class="button quiet">Send another email</button>')
  })

  it('has its own text after a sign-up, and does not say whether there is an account after a reset', () => {
    expect(render({ mail, after: 'signUp' })).to.include(
      'We sent an email to <strong><bdi>ann@app.test</bdi></strong>.',
    )
    expect(render({ mail, after: 'reset' })).to.include('If there is an account with the address <strong>')
  })

  it('says that another email is on its way, or how long to wait', () => {
    expect(render({ mail, again: 'sent' })).to.match(/role="status"><p>Another email is on its way\./)
    const limited = render({ mail, again: { wait: 250 } })
    expect(limited).to.match(/role="alert"><p>No other email can be sent yet\. Please wait 5 minutes, then try again\./)
    expect(render({ mail, again: { wait: 40 } })).to.include('Please wait 40 seconds')
  })

  it('takes the address to the other methods by a form where they ask for it first', () => {
    const page = render({ mail, identifierUrl: signInUrl })
    expect(page).to.include(`<form method="post" action="${signInUrl}">`)
    expect(page).to.include('<input type="hidden" name="identifier" value="ann@app.test">')
    expect(page).to.not.include('ann%40app.test').and.not.match(/\?\w/)
  })

  it('offers another address where there is no other method', () => {
    expect(render({ mail, hasOtherMethods: false })).to.include(`<a href="${signInUrl}">Use another address</a>`)
  })
})
