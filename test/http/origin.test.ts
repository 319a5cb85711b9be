import { expect } from 'chai'
import express from 'express'
import { hasUntrustedHttps, type OriginSource, readOrigin, readProtocol } from '../../lib/http/origin.js'

/** A request as Express makes it of a connection from loopback. */
function source(headers: Record<string, string | string[]>, rest: Partial<OriginSource> = {}): OriginSource {
  return { headers, protocol: 'http', socket: { remoteAddress: '127.0.0.1' }, ...rest }
}

/** An application that trusts its proxy, as `request.app` is. */
function trusting(trust: unknown = true): { app: unknown } {
  const app = express()
  app.set('trust proxy', trust)
  return { app }
}

describe('readOrigin', () => {
  const hosts: ReadonlyArray<[host: string, origin: string]> = [
    ['app.test', 'http://app.test'],
    ['APP.Test', 'http://app.test'],
    ['app.test:80', 'http://app.test'],
    ['app.test:3000', 'http://app.test:3000'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['my_host', 'http://my_host'],
  ]
  for (const [host, origin] of hosts) {
    it(`of the host ${host} is ${origin}`, () => expect(readOrigin(source({ host }))).to.equal(origin))
  }

  for (const host of [
    '',
    ' ',
    'a b',
    'app.test/evil',
    'app.test?x',
    'app.test#x',
    'app.test\\evil',
    'user@app.test',
    'user:pw@app.test',
    'app.test:',
    'app.test:99999',
    'app.test:8o',
    'app.test:80:80',
    'app.test, evil.test',
    'app.test\tevil',
    '[::1',
    '[evil.test]',
    '%61pp.test',
    'http://app.test',
    'ａpp.test',
  ]) {
    it(`is not known for the host ${JSON.stringify(host)}`, () =>
      expect(readOrigin(source({ host }))).to.equal(undefined))
  }

  it('is not known without a host', () => expect(readOrigin(source({}))).to.equal(undefined))

  it('takes the protocol that Express says', () => {
    expect(readOrigin(source({ host: 'app.test:443' }, { protocol: 'https' }))).to.equal('https://app.test')
  })

  for (const protocol of ['javascript', 'ftp', 'HTTPS', '', 'https,http']) {
    it(`is not known for the protocol ${JSON.stringify(protocol)}`, () =>
      expect(readOrigin(source({ host: 'app.test' }, { protocol }))).to.equal(undefined))
  }

  it('ignores X-Forwarded-Host when the application does not trust its proxy', () => {
    const headers = { host: 'app.test', 'x-forwarded-host': 'evil.test' }
    expect(readOrigin(source(headers))).to.equal('http://app.test')
    expect(readOrigin(source(headers, trusting(false)))).to.equal('http://app.test')
    expect(readOrigin(source(headers, trusting('10.0.0.0/8')))).to.equal('http://app.test')
  })

  it('takes the first X-Forwarded-Host when the application trusts its proxy', () => {
    const headers = { host: 'app.test', 'x-forwarded-host': 'site.test:8443 , app.test' }
    expect(readOrigin(source(headers, trusting()))).to.equal('http://site.test:8443')
    expect(readOrigin(source(headers, trusting(1)))).to.equal('http://site.test:8443')
    expect(readOrigin(source(headers, trusting('loopback')))).to.equal('http://site.test:8443')
  })

  it('does not fall back to Host when the trusted one is malformed', () => {
    expect(readOrigin(source({ host: 'app.test', 'x-forwarded-host': 'a b' }, trusting()))).to.equal(undefined)
    expect(readOrigin(source({ host: 'app.test', 'x-forwarded-host': ',app.test' }, trusting()))).to.equal(undefined)
  })

  it('believes no other header', () => {
    const spoofed = {
      host: 'app.test',
      forwarded: 'host=evil.test;proto=https',
      'x-host': 'evil.test',
      'x-original-url': 'https://evil.test/',
      'x-rewrite-url': 'https://evil.test/',
      'x-forwarded-server': 'evil.test',
      'x-original-host': 'evil.test',
    }
    expect(readOrigin(source(spoofed))).to.equal('http://app.test')
    expect(readOrigin(source(spoofed, trusting()))).to.equal('http://app.test')
  })

  it('asks no `app` that is not an Express application', () => {
    const headers = { host: 'app.test', 'x-forwarded-host': 'evil.test' }
    for (const app of [undefined, null, 'app', {}, { get: () => () => true }, () => true]) {
      expect(readOrigin(source(headers, { app }))).to.equal('http://app.test')
    }
  })
})

describe('readProtocol', () => {
  it('is what Express says, else what the socket says', () => {
    expect(readProtocol({ headers: {}, protocol: 'http', socket: { encrypted: true } })).to.equal('http')
    expect(readProtocol({ headers: {}, socket: { encrypted: true } })).to.equal('https')
  })

  it('is unknown for a bare socket, which may be behind a proxy', () => {
    expect(readProtocol({ headers: {}, socket: {} })).to.equal(undefined)
    expect(readProtocol({ headers: {}, socket: null })).to.equal(undefined)
    expect(readProtocol({ headers: { 'x-forwarded-proto': 'https' } })).to.equal(undefined)
  })
})

describe('hasUntrustedHttps', () => {
  const forwarded = (value: string | string[], protocol = 'http') =>
    hasUntrustedHttps({ headers: { 'x-forwarded-proto': value }, protocol })

  it('is so when the proxy says https and Express http', () => {
    for (const value of ['https', ' HTTPS', 'https,http', 'https, http']) expect(forwarded(value), value).to.equal(true)
    expect(forwarded(['https', 'http'])).to.equal(true)
  })

  it('is not so otherwise', () => {
    for (const value of ['http', '', 'httpsx', 'http,https']) expect(forwarded(value), value).to.equal(false)
    expect(forwarded('https', 'https')).to.equal(false)
    expect(hasUntrustedHttps({ headers: {}, protocol: 'http' })).to.equal(false)
  })
})
