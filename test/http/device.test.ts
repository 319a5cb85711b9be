/** Browsers and systems by what they say of themselves, and the networks of addresses. */
import { expect } from 'chai'
import { deviceCodeOf, deviceFromCode } from '../../lib/http/device.js'
import { coarseNetwork } from '../../lib/http/ip-addresses.js'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const linux = 'Mozilla/5.0 (X11; Linux x86_64)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)'
const ipad = 'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X)'
const kit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const safariKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

/** As the browsers send it. */
const known: ReadonlyArray<[label: string, userAgent: string, platform?: string]> = [
  ['Chrome on Windows', `${windows} ${kit} Chrome/142.0.0.0 Safari/537.36`, '"Windows"'],
  ['Chrome on macOS', `${mac} ${kit} Chrome/142.0.0.0 Safari/537.36`, '"macOS"'],
  ['Chrome on Linux', `${linux} ${kit} HeadlessChrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Android', `${android} ${kit} Chrome/142.0.0.0 Mobile Safari/537.36`, '"Android"'],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${kit} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on iOS', `${iphone} ${safariKit} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`],
  ['Edge on Windows', `${windows} ${kit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
  ['Edge on Windows', `${windows} ${kit} Chrome/70.0.3538.102 Safari/537.36 Edge/18.19582`],
  ['Edge on Android', `${android} ${kit} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0.0.0`],
  ['Edge on iOS', `${iphone} ${safariKit} Version/17.0 EdgiOS/142.0.0.0 Mobile/15E148 Safari/604.1`],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Firefox on iOS', `${iphone} ${safariKit} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on macOS', `${mac} ${safariKit} Version/17.5 Safari/605.1.15`],
  ['Safari on iOS', `${iphone} ${safariKit} Version/17.5 Mobile/15E148 Safari/604.1`],
  ['Safari on iPadOS', `${ipad} ${safariKit} Version/16.6 Mobile/15E148 Safari/604.1`],
  ['Opera on Windows', `${windows} ${kit} Chrome/142.0.0.0 Safari/537.36 OPR/126.0.0.0`],
  ['Opera on Linux', 'Opera/9.80 (X11; Linux x86_64) Presto/2.12.388 Version/12.16'],
  [
    'Samsung Internet on Android',
    `${android} ${kit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    '"Android"',
  ],
  // A web application on the home screen, and Android's browser of before Chrome.
  ['iOS', `${iphone} ${safariKit} Mobile/15E148`],
  ['Android', `Mozilla/5.0 (Linux; U; Android 4.0.3; de-de) ${kit} Version/4.0 Mobile Safari/534.30`],
  ['Firefox', 'Mozilla/5.0 (Mobile; rv:48.0) Gecko/48.0 Firefox/48.0'],
  // The hint knows it better than a user agent that stays as it once was.
  ['Chrome on ChromeOS', `${linux} ${kit} Chrome/142.0.0.0 Safari/537.36`, '"Chrome OS"'],
  ['Chrome on Linux', `${linux} ${kit} Chrome/142.0.0.0 Safari/537.36`, '"<img src=x>"'],
]

const none: Readonly<Record<string, string | undefined>> = {
  'no header': undefined,
  nothing: '',
  curl: 'curl/8.5.0',
  Node: 'node',
  'a library': 'python-requests/2.32.0',
  'a library that names a system': 'okhttp/4.12.0 (Linux; Android 14)',
  'a robot': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'a name of a property': '__proto__',
}

function labelOf(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const device = deviceFromCode(deviceCodeOf(headers))
  return device && Object.values(device).join(' on ')
}

describe('the device of a request', () => {
  for (const [label, userAgent, platform] of known) {
    it(`is ${label} for ${userAgent.slice(12, 60)} … ${userAgent.slice(-30)}`, () => {
      const headers = { 'user-agent': userAgent, 'sec-ch-ua-platform': platform }
      expect(labelOf(headers)).to.equal(label)
      expect(deviceCodeOf(headers)).to.match(/^[a-z-]{2}$/)
    })
  }

  for (const [what, userAgent] of Object.entries(none)) {
    it(`is not known for ${what}`, () => {
      expect(deviceCodeOf({ 'user-agent': userAgent })).to.equal(undefined)
    })
  }

  it('has values of the table only, whatever was stored', () => {
    for (const code of ['', 'f', 'zz', '--', 'flx', 'FL', '__proto__', '<b', 'constructor']) {
      expect(deviceFromCode(code), code).to.equal(undefined)
    }
    expect(deviceFromCode('f-')).to.deep.equal({ browser: 'Firefox' })
    expect(deviceFromCode('zl')).to.deep.equal({ system: 'Linux' })
  })
})

describe('the network of an address', () => {
  const networks: Readonly<Record<string, string | undefined>> = {
    '203.0.113.9': '203.0.113.0/24',
    '203.0.113.9:4711': '203.0.113.0/24',
    '::ffff:203.0.113.9': '203.0.113.0/24',
    '2001:db8:1:2:3::9': '2001:db8:1::/48',
    '[2001:DB8:1::5%eth0]:443': '2001:db8:1::/48',
    '2001:db8::1': '2001:db8::/48',
    '0:0:1:2::': '0:0:1::/48',
    '::1': '::/48',
    '999.1.1.1': undefined,
    '1.2.3': undefined,
    'unix:': undefined,
    ':::': undefined,
    '': undefined,
    '203.0.113.9, 10.0.0.1': undefined,
    '<b>': undefined,
  }
  for (const [address, network] of Object.entries(networks)) {
    it(`of ${JSON.stringify(address)} is ${network}`, () => {
      expect(coarseNetwork(address)).to.equal(network)
    })
  }
})
