import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderVerifyRequest } from '../../lib/pages/index.js'

describe('renderVerifyRequest(page)', () => {
  it('says what to do, and leads back to the site', () => {
    const page = renderVerifyRequest({
      frame: { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' },
      homeUrl: 'https://app.test/',
    })
    expect(page).to.include('<h1>Check your email</h1>').and.include('open it in this browser')
    expect(page).to.include('you are asked to confirm first').and.include('Only the newest one works')
    expect(page).to.include('<a href="https://app.test/">Go to app.test</a>')
  })
})
