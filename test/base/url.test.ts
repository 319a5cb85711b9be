import { expect } from 'chai'
import { isUrl, parseUrl } from '../../lib/base/url.js'

describe('a URL', () => {
  it('is one however often it is asked about', () => {
    // `URL.canParse` of Node.js 20 says no from some thousand calls on.
    let refused = 0
    for (let at = 0; at < 50_000; at += 1) if (!isUrl('https://b\u00fccher.example/')) refused += 1
    expect(refused).to.equal(0)
  })

  it('is absolute, or below another', () => {
    expect(parseUrl('/a', 'https://app.example')?.href).to.equal('https://app.example/a')
    expect(parseUrl('//b', new URL('https://app.example'))?.host).to.equal('b')
    for (const text of ['', '/a', 'http://', 'http://a b/', 'http://08/']) expect(isUrl(text), text).to.equal(false)
  })
})
