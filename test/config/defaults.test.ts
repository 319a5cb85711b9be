import { expect } from 'chai'
import { defaultCallbacks, defaultProfile } from '../../lib/config/site.js'

describe('the default redirect callback', () => {
  const baseUrl = 'https://app.test'
  const redirect = (url: string) => defaultCallbacks.redirect({ url, baseUrl })

  for (const url of ['/', '/a?b=c#d', 'https://app.test/x', 'https://APP.test:443/x', 'relative']) {
    it(`stays on the site for ${url}`, () => expect(redirect(url)).to.equal(new URL(url, baseUrl).href))
  }

  for (const url of [
    'https://evil.test/',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    'https://app.test@evil.test',
    'https://app.test.evil.test',
    'https://evilapp.test',
    'http://app.test/x',
    'https://app.test:8443',
    'https://app.test.',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://google.com\\\\@app.test',
    'http://[',
    'http://',
  ]) {
    it(`goes to the base URL for ${JSON.stringify(url)}`, () => expect(redirect(url)).to.equal(baseUrl))
  }
})

describe('the other default callbacks', () => {
  it('allow every sign-in, and return token and session as they are', () => {
    const [token, session] = [{ sub: 'a' }, { user: { id: 'a' }, expires: 'e' }]
    expect(defaultCallbacks.signIn({ user: {}, account: null })).to.equal(true)
    expect(defaultCallbacks.jwt({ token })).to.equal(token)
    expect(defaultCallbacks.session({ session, token, authentication: {} })).to.equal(session)
  })
})

describe('defaultProfile(profile)', () => {
  it('takes sub, name, email and picture, and nothing else', () => {
    const profile = { sub: 's', name: 'n', email: 'e', picture: 'p', email_verified: true, role: 'admin' }
    expect(defaultProfile(profile)).to.deep.equal({ id: 's', name: 'n', email: 'e', image: 'p' })
  })

  it('falls back to id, nickname and preferred_username', () => {
    expect(defaultProfile({ id: 'i', nickname: 'nick' })).to.include({
      id: 'i',
      name: 'nick',
      email: null,
      image: null,
    })
    expect(defaultProfile({ sub: 's', preferred_username: 'pu' })).to.include({ name: 'pu' })
  })

  it('ignores a picture that is no text', () => {
    expect(defaultProfile({ sub: 's', picture: { url: 'x' } }).image).to.equal(null)
  })
})
