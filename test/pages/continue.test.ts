import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderContinue } from '../../lib/pages/index.js'

function render(to: string): string {
  return renderContinue({ frame: { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }, to })
}

describe('renderContinue(page)', () => {
  it('names the host and has a visible link with the whole URL', () => {
    const page = render('https://op.test:8443/authorize?client_id=a&state=b')
    expect(page).to.include('You are being sent to <strong>op.test:8443</strong>')
    expect(page).to.include(
      '<a href="https://op.test:8443/authorize?client_id=a&#38;state=b">continue to op.test:8443</a>',
    )
  })

  it('shows the host one arrives at, not what is written before it', () => {
    expect(render('https://bank.test@evil.test/')).to.include('<strong>evil.test</strong>')
  })

  it('stays on the site for anything but http(s)', () => {
    const page = render('javascript:alert(1)')
    expect(page).to.include('<a href="/">continue to app.test</a>').and.not.include('javascript')
  })
})
