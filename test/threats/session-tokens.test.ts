/** Session tokens that were tampered with: what no other suite has. The rest is in `test/jwt.test.ts` and `test/session/`. */

import { expect } from 'chai'
import { secret, startApp } from '../support/app.js'
import { documentedKey, flipBit, forge } from '../support/jwe.js'
import { opened } from '../support/opened.js'
import { plant, sessionName } from '../support/session.js'

describe('session tokens that fail at different steps', () => {
  const app = opened(() => startApp())

  const key = documentedKey(secret, sessionName)
  const claims = { sub: 'ann', iat: Math.floor(Date.now() / 1000), exp: 9_999_999_999 }
  const good = () => forge(key, claims)
  const failing: Record<string, () => string> = {
    'a wrong tag': () => flipBit(good(), 4),
    'a ciphertext that changed': () => flipBit(good(), 3),
    'an iv that changed, and with it the padding': () => flipBit(good(), 2, 127),
    'a ciphertext of one block less': () => {
      const [header, empty, iv, ciphertext = '', tag] = good().split('.')
      const shorter = Buffer.from(ciphertext, 'base64url').subarray(0, -16).toString('base64url')
      return [header, empty, iv, shorter, tag].join('.')
    },
    'an authentic payload that is no JSON': () => forge(key, Buffer.from('{')),
    'an authentic payload that is an array': () => forge(key, [claims]),
    'an authentic token that is over': () => forge(key, { ...claims, exp: 2 }),
    'an authentic token without an end': () => forge(key, { sub: 'ann' }),
    'a token under another secret': () => forge(documentedKey(`${secret}!`, sessionName), claims),
    'the kid of another key': () => forge(key, claims, { kid: 'unknown' }),
  }

  /** All that the outside can see, without what changes with each request. */
  async function outward(token: string) {
    const browser = app.browser()
    plant(browser, token)
    const { status, body, headers } = await browser.get('/auth/session')
    const { date: _date, ...others } = headers
    return { status, body, headers: others }
  }

  it('JW-13 cannot be told apart from outside', async () => {
    const [expected, ...others] = await Promise.all(Object.values(failing).map((make) => outward(make())))
    expect(expected?.body).to.equal(null)
    for (const [at, seen] of others.entries()) expect(seen, Object.keys(failing)[at + 1]).to.deep.equal(expected)
    expect(app.log.errors).to.deep.equal([])
  })

  it('(control) the one that fails nowhere is a session', async () => {
    expect((await outward(good())).body).to.have.property('user')
  })
})
