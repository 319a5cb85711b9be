/** One table of bodies: what Express' parsers make of them, and what the door without Express does. */
import { createServer } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'chai'
import express from 'express'
import { InvalidRequest } from '../../lib/errors.js'
import { bodyLimit, parseBody } from '../../lib/router/parse-body.js'
import { readRequestBody } from '../../lib/router/read-body.js'
import { createLog, type Door, serve } from '../support/app.js'
import { exchange } from '../support/http-browser.js'

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

interface Row {
  readonly type?: string
  readonly body: string | Buffer
  readonly coding?: string
  /** The fields, or the status of the rejection. `null`: the body is not read. */
  readonly is: unknown
}

const fits = `{"a":"${'x'.repeat(bodyLimit - 8)}"}`

const table: Readonly<Record<string, Row>> = {
  'an object': { type: json, body: '{"a":1,"b":{"c":[null]}}', is: { a: 1, b: { c: [null] } } },
  'a list': { type: json, body: '[1]', is: [1] },
  'white space around': { type: json, body: ' \t\r\n{"a":1}\n ', is: { a: 1 } },
  'a byte order mark': { type: json, body: '\ufeff{"a":1}', is: { a: 1 } },
  'bytes that are no UTF-8': {
    type: json,
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    is: { '\ufffd': 1 },
  },
  'nothing, as JSON': { type: json, body: '', is: {} },
  'a text': { type: json, body: '"a"', is: 400 },
  'a number': { type: json, body: '1', is: 400 },
  'white space alone': { type: json, body: ' ', is: 400 },
  'white space of Unicode': { type: json, body: '\u00a0{}', is: 400 },
  'a broken object': { type: json, body: '{"a":', is: 400 },
  'something after the object': { type: json, body: '{}}', is: 400 },
  'a name twice, as JSON': { type: json, body: '{"a":1,"a":2}', is: { a: 2 } },
  'as long as allowed': { type: json, body: fits, is: JSON.parse(fits) },
  'one byte more': { type: json, body: `${fits} `, is: 413 },
  'a type in capitals': { type: 'Application/JSON; Charset=UTF-8', body: '{}', is: {} },
  'a quoted charset': { type: `${json}; charset="utf-8"`, body: '{}', is: {} },
  'another parameter': { type: `${json};version=1; charset=utf-8`, body: '{}', is: {} },
  'another charset': { type: `${json}; charset=utf-16le`, body: '{}', is: 415 },
  'a charset that nobody knows': { type: `${json}; charset=nonsense`, body: '{}', is: 415 },
  'two types': { type: `${json}, text/plain`, body: '{}', is: null },
  'a type of JSON that is another': { type: 'application/vnd.api+json', body: '{}', is: null },
  'no type': { body: '{}', is: null },
  'a text for people': { type: 'text/plain', body: 'a=1', is: null },
  'a name of every object': { type: 'constructor/prototype', body: 'a=1', is: null },
  'a form': { type: form, body: 'a=1&b=x+y%20z%26&c=', is: { a: '1', b: 'x y z&', c: '' } },
  'a name twice': { type: form, body: 'a=1&b=2&a=3', is: { a: ['1', '3'], b: '2' } },
  'a name many times': { type: form, body: 'a=1&'.repeat(30), is: { a: Array(30).fill('1') } },
  'a name without a value': { type: form, body: 'a', is: { a: '' } },
  'a value with the sign in it': { type: form, body: 'a=b=c', is: { a: 'b=c' } },
  'brackets in a name': {
    type: form,
    body: 'a[b]=1&c[]=2&d[__proto__][e]=3',
    is: { 'a[b]': '1', 'c[]': '2', 'd[__proto__][e]': '3' },
  },
  'a percent sign that escapes nothing': { type: form, body: 'a=100%', is: { a: '100%' } },
  'names of a prototype': { type: form, body: 'constructor=1&toString=2', is: { constructor: '1', toString: '2' } },
  'a question mark before': { type: form, body: '?a=1', is: { '?a': '1' } },
  'nothing, as a form': { type: form, body: '', is: {} },
  'as many fields as allowed': { type: form, body: `a=1${'&a=1'.repeat(999)}`, is: { a: Array(1000).fill('1') } },
  'one field more': { type: form, body: `a=1${'&a=1'.repeat(1000)}`, is: 413 },
  'a form in another charset': { type: `${form}; charset=iso-8859-1`, body: 'a=%e4', is: 415 },
  'a form in UTF-7': { type: `${form}; charset=utf-7`, body: 'a=1', is: 415 },
  'a packed object': { type: json, body: gzipSync('{"a":1}'), coding: 'gzip', is: { a: 1 } },
  'a packed form': { type: form, body: deflateSync('a=1'), coding: 'Deflate', is: { a: '1' } },
  'no coding, by name': { type: json, body: '{}', coding: 'identity', is: {} },
  'a coding that nobody knows': { type: json, body: '{}', coding: 'zip', is: 415 },
  'two codings': { type: json, body: '{}', coding: 'gzip, gzip', is: 415 },
  'what is not packed': { type: json, body: '{"a":1}', coding: 'gzip', is: 400 },
  'half of what was packed': { type: json, body: gzipSync('{"a":1}').subarray(0, 12), coding: 'gzip', is: 400 },
  'what grows beyond the limit': { type: json, body: gzipSync(Buffer.alloc(5_000_000, ' ')), coding: 'gzip', is: 413 },
  'what grows to the limit': { type: json, body: gzipSync(fits), coding: 'gzip', is: JSON.parse(fits) },
  'packed another way': { type: json, body: brotliCompressSync('{"a":1}'), coding: 'br', is: { a: 1 } },
}

describe('parseBody(headers, bytes)', () => {
  let door: Door
  before(async () => {
    const app = express().post('/', (request, response) => {
      readRequestBody(request).then(
        () => response.json({ is: plain(request.body, request.headers['content-type']) }),
        (error: unknown) =>
          response.json({ is: (error as InvalidRequest).status, type: (error as InvalidRequest).type }),
      )
    })
    door = await serve(createServer(app), { providers: [] }, createLog())
  })
  after(() => door.close())

  /** Returns the body as parsed. Express 4 leaves an empty object if it reads nothing. */
  function plain(body: unknown, type = ''): unknown {
    return body === undefined || !/^application\/(json|x-www-form-urlencoded)(;|$)/i.test(type) ? null : body
  }

  for (const [title, { type, body, coding, is }] of Object.entries(table)) {
    const headers = { ...(type && { 'content-type': type }), ...(coding && { 'content-encoding': coding }) }
    const bytes = Buffer.from(body)

    it(`${title}: with Express`, async () => {
      const length = { 'content-length': bytes.length }
      const answer = await exchange(door.origin, {
        method: 'POST',
        target: '/',
        headers: { ...headers, ...length },
        body: bytes,
      })
      const type = typeof is === 'number' && { type: 'InvalidRequest' }
      expect(answer.body).to.deep.equal({ is, ...type })
    })

    // Longer ones never come here: they are refused while they are read.
    if (bytes.length > bodyLimit) continue

    it(`${title}: without`, async () => {
      const read = parseBody(headers, bytes).catch((error: unknown) => {
        expect(error).to.be.instanceOf(InvalidRequest)
        return (error as InvalidRequest).status
      })
      const fields = (await read) ?? null
      expect(JSON.parse(JSON.stringify(fields))).to.deep.equal(is)
    })
  }

  it('has a record without a prototype for a form', async () => {
    const fields = await parseBody({ 'content-type': form }, Buffer.from('__proto__=1&__proto__[a]=2'))
    expect(Object.getPrototypeOf(fields)).to.equal(null)
    expect(({} as { a?: unknown }).a).to.equal(undefined)
  })
})
