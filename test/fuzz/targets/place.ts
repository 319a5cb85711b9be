/** The facts that are stored of a sign-in besides the user: the device, the network, and whether to stay signed in. */
import fc from 'fast-check'
import { target } from '../explore.js'
import { bend, bent, json, line } from '../hostile.js'
import { base } from '../site.js'
import { Stranger, Violation } from '../stranger.js'
import { headerValues, type WireAnswer } from '../wire.js'
import { isObject } from './shared.js'

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
]
const addresses = ['203.0.113.7', '203.0.113.7, 10.0.0.1', '2001:db8:1:2::3', '[2001:db8::1]:443', '::ffff:192.0.2.1']

const deviceNames =
  /^(?:Chrome|Edge|Firefox|Opera|Safari|Samsung Internet|Android|ChromeOS|iOS|iPadOS|Linux|macOS|Windows)$/
const network = /^(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.0\/24|(?:(?:[0-9a-f]{1,4}:){1,3}|:):\/48)$/

/** Returns one of these values, a similar one, or anything, without characters that end a header. */
function like(values: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...values)
  const changed = fc.tuple(known, bend()).map(([value, change]) => bent(value, change).replace(/[\r\n\0]/g, ''))
  return fc.oneof(known, changed, line())
}

const right = { username: 'ann', password: 'right' }

/** Signs in by a script's JSON. */
function signIn(stranger: Stranger, body: string, more: ReadonlyArray<readonly [string, string]> = []) {
  const headers = [...stranger.own, ['content-type', 'application/json'] as const, ...more]
  return stranger.send({ method: 'POST', target: `${base}/callback/credentials`, headers, body })
}

/**
 * The headers from which the place of a session is read. An account page shows our names, and no words of the stranger.
 */
export const place = target(
  'place',
  fc.record({
    agent: like(browsers),
    platform: like(['"Linux"', '"Windows"', '"Chrome OS"']),
    forwarded: like(addresses),
  }),
  async (site, { agent, platform, forwarded }) => {
    // One user has all these sessions otherwise, and each listing is longer than the one before.
    site.renew()
    const person = new Stranger(site)
    const { status } = await signIn(person, JSON.stringify(right), [
      ['user-agent', agent],
      ['sec-ch-ua-platform', platform],
      ['x-forwarded-for', forwarded],
    ])
    if (status >= 400) return
    const account: unknown = JSON.parse((await person.get('/account')).body)
    if (site.strategy === 'jwt') return
    const sessions: unknown = isObject(account) ? account.sessions : undefined
    if (!Array.isArray(sessions) || sessions.length !== 1) throw new Violation(`${JSON.stringify(sessions)} is not one`)
    for (const session of sessions) checkPlace(session)
  },
  { pinned: [{ agent: browsers[0] ?? '', platform: 'Linux"', forwarded: '::fff:192.0.2.1' }] },
)

function checkPlace({ device, network: net }: { readonly device?: unknown; readonly network?: unknown }): void {
  if (net !== undefined && !network.test(String(net))) throw new Violation(`a network ${JSON.stringify(net)}`)
  if (device === undefined) return
  const names = isObject(device) ? [device.browser, device.system].filter((name) => name !== undefined) : []
  const isKnown = names.every((name) => typeof name === 'string' && deviceNames.test(name))
  if (!isKnown || names.length === 0 || !isObject(device) || device.label !== names.join(' on '))
    throw new Violation(`a device ${JSON.stringify(device)}`)
}

const ticks: readonly unknown[] = [true, 'true', 'on', '1']

/** The checkbox "Keep me signed in", with any JSON value. Only its own values make the cookie outlive the browser. */
export const remember = target(
  'remember',
  fc.record({
    value: fc.oneof(json(), fc.constantFrom('true', '"true"', '"on"', '"1"', '1', '["on"]', '"ON"', '" on"')),
    isTwice: fc.boolean(),
    isAsked: fc.boolean(),
  }),
  async (site, { value, isTwice, isAsked }) => {
    const person = new Stranger(site)
    const again = isTwice ? ',"remember":false' : ''
    const asked = isAsked ? ',"rememberAsked":"1"' : ''
    const answer = await signIn(person, `${JSON.stringify(right).slice(0, -1)},"remember":${value}${asked}${again}}`)
    const lasting = isLasting(answer)
    // The deepest values are refused with the whole message.
    if (lasting === undefined && answer.status >= 400) return
    if (lasting !== (!isTwice && ticks.includes(JSON.parse(value))))
      throw new Violation(`the cookie ${lasting ? 'stays' : 'does not stay'}: ${value.slice(0, 200)}`)
  },
)

/** Checks whether the session cookie outlives the browser. Returns `undefined` if there is none. */
function isLasting(answer: WireAnswer): boolean | undefined {
  const cookie = headerValues(answer, 'set-cookie').find((each) => each.startsWith('auth.session-token'))
  return cookie === undefined ? undefined : /; (?:Expires|Max-Age)=/.test(cookie)
}
