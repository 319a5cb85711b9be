import { expect } from 'chai'
import { AuthUrls } from '../../lib/http/urls.js'

describe('AuthUrls', () => {
  const urls = new AuthUrls('https://app.example:8443', '/api/auth')

  it('joins origin, mount, action and provider, the first time and each time after', () => {
    for (let time = 0; time < 3; time += 1) {
      expect(urls.endpoint('signin')).to.equal('https://app.example:8443/api/auth/signin')
      expect(urls.endpoint('signin', 'op')).to.equal('https://app.example:8443/api/auth/signin/op')
      expect(urls.endpoint('callback', 'op')).to.equal('https://app.example:8443/api/auth/callback/op')
      expect(urls.home).to.equal('https://app.example:8443/')
      expect(urls.host).to.equal('app.example:8443')
    }
  })

  it('keeps parameters to the one URL that they are for', () => {
    const params = { error: 'a b&c', code: undefined }
    expect(urls.endpoint('error', undefined, params)).to.equal('https://app.example:8443/api/auth/error?error=a+b%26c')
    expect(urls.endpoint('error', undefined, { code: undefined })).to.equal('https://app.example:8443/api/auth/error')
    expect(urls.endpoint('error')).to.equal('https://app.example:8443/api/auth/error')
  })

  it('keeps to its origin, whatever the mount is', () => {
    expect(new AuthUrls('https://app.example', '//evil.test').endpoint('signin')).to.equal(
      'https://app.example//evil.test/signin',
    )
    expect(new AuthUrls('https://app.example', '').endpoint('signin')).to.equal('https://app.example/signin')
  })

  it('works out what is too long to be kept', () => {
    const long = 'x'.repeat(1000)
    for (let time = 0; time < 2; time += 1) {
      expect(urls.endpoint('signin', long)).to.equal(`https://app.example:8443/api/auth/signin/${long}`)
    }
  })
})
