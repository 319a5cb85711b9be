/** Messages as such: the bytes of a request, its path and query, its headers, its body. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { target } from '../explore.js'
import { type Bend, bend, bent, type Edit, edited, edits, json, line, objects, seldom, text } from '../hostile.js'
import { base, type Site } from '../site.js'
import { Stranger } from '../stranger.js'
import { toBytes } from '../wire.js'
import { queryOf, wellFormed } from './shared.js'

const gets = [
  '/providers',
  '/session',
  '/csrf',
  '/signin',
  '/signin/test',
  '/signin/email',
  '/signout',
  '/signout/test',
  '/callback/test',
  '/callback/plain',
  '/callback/email',
  '/verify-request',
  '/error',
  '/webauthn-options/passkey',
  '/signout/plain',
  '/frontchannel-logout/test',
  '/frontchannel-logout/plain',
  '/backchannel-logout/test',
  '/callback/__proto__',
  '/nothing',
]
const posts = [
  '/session',
  '/signin',
  '/signin/test',
  '/signin/plain',
  '/signin/email',
  '/signin/credentials',
  '/signin/passkey',
  '/signout',
  '/callback/credentials',
  '/callback/test',
  '/callback/email',
  '/callback/passkey',
  '/backchannel-logout/test',
  '/backchannel-logout/plain',
  '/signin/constructor',
  '/signout/test',
  '/frontchannel-logout/test',
  '/webauthn-options/passkey',
]

/** The parameter names that any action reads. */
export const parameters = [
  'callbackUrl',
  'connect',
  'error',
  'code',
  'state',
  'iss',
  'sid',
  'token',
  'email',
  'attempt',
  'provider',
  'type',
  'action',
  'reference',
  'form_post',
  'error_description',
  'prompt',
  'login_hint',
  'scope',
  'username',
  'password',
  'csrfToken',
  'data',
  'json',
  'redirect',
  'logout_token',
  'federated',
  'navigation',
  'id_token',
  'user',
  'name',
  'remember',
  'rememberAsked',
  'captcha',
]

const headerNames = [
  'host',
  'accept',
  'accept-language',
  'origin',
  'referer',
  'cookie',
  'authorization',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-purpose',
  'x-auth-return-redirect',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'user-agent',
  'sec-ch-ua-platform',
  'x-captcha-token',
  'x-real-ip',
  'content-type',
  'content-encoding',
  'x-http-method-override',
  'range',
  'if-none-match',
  'expect',
  'upgrade',
]

const heads = fc.array(
  fc.tuple(
    fc.constantFrom(...headerNames.filter((name) => name !== 'expect' && name !== 'upgrade')),
    fc.oneof(
      line(),
      fc.constantFrom(
        'application/json',
        'text/html',
        'same-origin',
        'cross-site',
        'https',
        'other.test',
        '::1',
        '1',
        'prefetch',
      ),
    ),
  ),
  { maxLength: 4 },
)

/** Returns one of our paths, or a similar one. */
function paths(known: readonly string[]) {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...known), bend(200)).map(([path, change]) => bent(path, change)),
    },
  )
}

/** Returns the text as it can be in a request line, without characters that end it. */
function inRequestLine(path: string): string {
  return wellFormed(path).replace(/[\s\p{Cc}]|[^\x20-\x7e]/gu, (each) => encodeURIComponent(each))
}

/** Returns the allowed faults: `error` shows the page of any fault, with its status. */
const mayFault = (path: string) => (/^\/error(?:[?#]|$)/.test(path) ? { faults: [500] } : {})

function session(stranger: Stranger, site: Site): Promise<void> {
  return site.accepted > 0 ? Promise.resolve() : stranger.expectNobody('though nobody proved anything')
}

/** GET and HEAD, and methods that we do not support. */
export const query = target(
  'query',
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE'),
    path: paths(gets),
    fields: edits(parameters),
    isRaw: fc.boolean(),
    headers: heads,
  }),
  async (site, { method, path, fields, isRaw, headers }) => {
    const stranger = new Stranger(site)
    const known = [['callbackUrl', '/welcome']] as const
    const pairs = edited(known, fields)
    const search = isRaw ? inRequestLine(pairs.map((pair) => pair.join('=')).join('&')) : `${queryOf(pairs)}`
    await stranger.send({ method, target: inRequestLine(`${base}${path}?${search}`), headers }, mayFault(path))
    await session(stranger, site)
  },
  { runs: 30 },
)

const types = [
  'application/x-www-form-urlencoded',
  'application/json',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/json; charset=utf-7',
  'application/x-www-form-urlencoded; charset=latin1',
  'application/json;charset="utf-8"',
  'application/__proto__',
]

/** POST, with bodies that a form or a script may send. */
export const body = target(
  'body',
  fc.record({
    path: paths(posts),
    fields: edits(parameters, 120_000),
    json: fc.oneof(fc.constant(undefined), json(), objects(parameters)),
    type: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...types) }, { weight: 1, arbitrary: line(200) }),
    coding: fc.constantFrom('', '', '', 'gzip', 'br', 'deflate', 'gzip, gzip'),
    proves: fc.constantFrom('headers', 'token', 'nothing'),
    headers: heads,
  }),
  async (site, input) => {
    const stranger = new Stranger(site)
    const csrf = input.proves === 'token' ? JSON.parse((await stranger.get(`${base}/csrf`)).body).csrfToken : ''
    const known = [
      ['csrfToken', csrf],
      ['callbackUrl', '/welcome'],
      ['username', 'ann'],
      ['password', 'wrong'],
      ['email', 'ann@example.com'],
      ['action', 'authenticate'],
    ] as const
    const pairs = edited(known, input.fields)
    const isForm = input.type.startsWith('application/x-www-form-urlencoded')
    const plain = isForm ? `${queryOf(pairs)}` : (input.json ?? JSON.stringify(Object.fromEntries(pairs)))
    // Only gzip is what it says; the others find something else.
    const content = input.coding === 'gzip' ? gzipSync(plain) : plain
    const headers = [
      ...(input.proves === 'headers' ? stranger.own : []),
      ['content-type', input.type] as const,
      ...(input.coding === '' ? [] : [['content-encoding', input.coding] as const]),
      ...input.headers.filter(([name]) => name !== 'content-type' && name !== 'content-encoding'),
    ]
    await stranger.send({ method: 'POST', target: inRequestLine(base + input.path), headers, body: content })
    await session(stranger, site)
  },
  { runs: 30 },
)

type Head = { readonly fields: Edit[]; readonly first: Bend | undefined; readonly bytes: Bend | undefined }

const form = 'application/x-www-form-urlencoded'
const samples = [
  { target: `${base}/session`, headers: [['accept', '*/*']] },
  { target: `${base}/signin?callbackUrl=%2F`, headers: [['accept', 'text/html']] },
  { target: `${base}/callback/test?code=1&state=2`, headers: [['cookie', 'auth.transaction.0=x']] },
  { method: 'POST', target: `${base}/signin/test`, headers: [['content-type', form]], body: 'csrfToken=x' },
  { method: 'POST', target: `${base}/session`, headers: [['content-type', 'application/json']], body: '{"data":1}' },
] as const

/** Bytes that no client sends: a partial header block, two lengths, a body that is shorter or longer than announced. */
export const request = target(
  'request',
  fc.record({
    sample: fc.constantFrom(...samples),
    fields: edits([
      ...headerNames,
      'content-length',
      'transfer-encoding',
      'connection',
      'trailer',
      'keep-alive',
      ' host',
      'host ',
    ]),
    first: seldom(bend()),
    bytes: seldom(bend()),
  }),
  async (site, { sample, ...changes }) => {
    const whole = toBytes({ ...sample, headers: [['host', 'localhost'], ...sample.headers] }).toString('latin1')
    await new Stranger(site).sendRaw(Buffer.from(changedHead(whole, changes), 'latin1'))
  },
  {
    runs: 40,
    pinned: [
      // A host with which there is no URL.
      {
        sample: samples[0],
        fields: [{ kind: 'bend', at: 0, bend: { how: 'is', text: '0800' } }],
        first: undefined,
        bytes: undefined,
      },
    ],
  },
)

function changedHead(whole: string, { fields, first, bytes }: Head): string {
  const end = whole.indexOf('\r\n\r\n')
  const [start = '', ...lines] = whole.slice(0, end).split('\r\n')
  const known = lines.map((each) => [each.slice(0, each.indexOf(': ')), each.slice(each.indexOf(': ') + 2)] as const)
  const head = [first ? bent(start, first) : start, ...edited(known, fields).map((field) => field.join(': '))].join(
    '\r\n',
  )
  const message = head + whole.slice(end)
  return bytes ? bent(message, bytes) : message
}

/** A path with text that was never encoded, in the request line. */
export const path = target('path', text(12_000), async (site, segment) => {
  const stranger = new Stranger(site)
  for (const action of ['callback', 'signin', 'webauthn-options']) {
    await stranger.send({ target: inRequestLine(`${base}/${action}/${segment}`) })
  }
  await stranger.send({ target: `${base}/callback/${encodeURIComponent(wellFormed(segment))}` })
  await session(stranger, site)
})
