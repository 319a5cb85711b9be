/** The typed addresses, and the addresses that get the mail. */
import { expect } from 'chai'
import type { ResolvedEmailProvider } from '../../../lib/contracts/index.js'
import { type AuthError, EmailSignInError } from '../../../lib/errors.js'
import { isMailedAddress, normalizeAddress, readAddress } from '../../../lib/flows/email/address.js'
import { target } from '../../support/app.js'
import { thrownBy } from '../../support/rejection.js'
import { changed, queryOf, useMailStage } from './stage.js'

const taken: ReadonlyArray<readonly [typed: string, address: string]> = [
  ['ann@example.com', 'ann@example.com'],
  [' Ann@Example.COM \n', 'ann@example.com'],
  ['\u00a0ann@example.com\ufeff', 'ann@example.com'],
  ['ann+news@example.com', 'ann+news@example.com'],
  ["o'brien@example.com", "o'brien@example.com"],
  ['a.b.c@example.com', 'a.b.c@example.com'],
  ["#$&'*+/=?^_`{|}~-@example.com", "#$&'*+/=?^_`{|}~-@example.com"],
  ['victim＠x.test', 'victim@x.test'],
  ['victim﹫x.test', 'victim@x.test'],
  ['ａnn@x.test', 'ann@x.test'],
  ['a@x．test', 'a@x.test'],
  ['a@x。test', 'a@x.test'],
  ['a@x｡test', 'a@x.test'],
  ['a@ｘ.test', 'a@x.test'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
  ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
  ['a@аpple.test', 'a@xn--pple-43d.test'],
  ['a@faß.de', 'a@xn--fa-hia.de'],
  ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
  ['a@x-y.museum', 'a@x-y.museum'],
  ['a@1.2.3.test', 'a@1.2.3.test'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  [`a@${'b'.repeat(63)}.test`, `a@${'b'.repeat(63)}.test`],
]

const refused: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  7,
  true,
  {},
  { toString: 'a@x.test' },
  [],
  ['a@x.test'],
  ['a@x.test', 'b@y.test'],
  'a',
  '@',
  'a@',
  '@x.test',
  'a@b',
  'a@b@c',
  'a@b@c.test',
  'a＠b@c.test',
  'a@localhost',
  // Several, and what some parsers take for several (CVE-2022-35924, CVE-2025-13033).
  'a@x.test,b@y.test',
  'a@x.test;b@y.test',
  'a@x.test b@y.test',
  'a@x.test，b@y.test',
  'a@x.test\u3001b@y.test',
  'a,b@x.test',
  'a@x.test,',
  'a@x.test\nb@y.test',
  'a@x.test\r\nBcc: b@y.test',
  'a@x.test%0d%0aBcc:b@y.test',
  'a@x.test%2Cb@y.test',
  'a@x.test%2Cb',
  'a@x.test\0',
  'a@x.test%00',
  'a@x.test\u2028b',
  // Quoted parts, comments, groups, routes, names.
  '"e@attacker.test"@victim.test',
  '"a"@x.test',
  'e@attacker.test(@victim.test)',
  'a(comment)@x.test',
  'a@x.test(comment)',
  '<a@x.test>',
  '<e@attacker.test>victim@x.test',
  'victim@x.test <e@attacker.test>',
  'Ann <a@x.test>',
  'friends:a@x.test;',
  '@b.test:a@x.test',
  'a%b.test@x.test',
  'b.test!a@x.test',
  'a\\@x.test',
  'mailto:a@x.test',
  // These characters are invisible, or change the direction of text.
  'a\u200bnn@x.test',
  'a\u00adnn@x.test',
  'a\u202enn@x.test',
  'ann\u0301@x.test',
  'a@x\u200b.test',
  'a@x\u00ad.test',
  'a@\u202ex.test',
  'a@x\ud800.test',
  'a\udc00@x.test',
  'änn@x.test',
  'аnn@x.test',
  'İ@x.test',
  // No host name.
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@0x7f.1',
  'a@2130706433',
  'a@1.2.3.4.5',
  'a@[::1]',
  'a@x..test',
  'a@.x.test',
  'a@x.test.',
  'a@-x.test',
  'a@x-.test',
  'a@x_y.test',
  'a@x.test:25',
  'a@u:p@x.test',
  'a@xn--a.test',
  'a@x.test/evil',
  'a@x.test?evil',
  'a@x.test#evil',
  'a@x.test\\evil',
  'a@%78.test',
  'a@x.test|b',
  'a@x.*',
  // Dots and hyphens where none may be.
  '.a@x.test',
  'a.@x.test',
  'a..b@x.test',
  '-oQ/tmp@x.test',
  'a b@x.test',
  // Too long.
  `${'a'.repeat(65)}@x.test`,
  `a@${'b'.repeat(64)}.test`,
  `a@${'b.'.repeat(130)}test`,
  `${'a'.repeat(64)}@${'b.'.repeat(95)}`,
]

const ours = {} as ResolvedEmailProvider
const with_ = (normalizeIdentifier: (typed: string) => unknown) => ({ normalizeIdentifier }) as ResolvedEmailProvider

describe('normalizeAddress', () => {
  for (const [typed, address] of taken) {
    it(`normalizes ${JSON.stringify(typed)} to ${JSON.stringify(address)}, and keeps that unchanged`, () => {
      expect(normalizeAddress(typed)).to.equal(address)
      expect(normalizeAddress(address)).to.equal(address)
      expect(isMailedAddress(ours, address)).to.equal(true)
    })
  }

  for (const typed of refused) {
    it(`EM-01 EM-02 EM-05 EM-06 EM-13 rejects ${JSON.stringify(typed)?.slice(0, 60)}`, () => {
      expect(thrownBy(() => readAddress(ours, typed))).to.have.property('type', 'EmailSignInError')
      if (typeof typed === 'string') expect(isMailedAddress(ours, typed)).to.equal(false)
    })
  }

  it('accepts 254 characters and not one more', () => {
    const domain = `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.test`
    expect(normalizeAddress(`${'a'.repeat(63)}@${domain}`)).to.have.length(254)
    expect(thrownBy(() => normalizeAddress(`${'a'.repeat(64)}@${domain}`))).to.have.property('type', 'EmailSignInError')
  })

  it('DOS-07 does not process a text that is far too long', () => {
    for (const typed of [
      `a@${'a.'.repeat(1e5)}`,
      `${'"'.repeat(1e5)}@x.test`,
      `${'a.'.repeat(1e5)}@x.test`,
      `a@${'a-'.repeat(1e5)}`,
      '@'.repeat(1e5),
      'ﷺ'.repeat(1e5),
    ]) {
      expect(thrownBy(() => readAddress(ours, typed))).to.have.property('type', 'EmailSignInError')
      expect(thrownBy(() => readAddress(ours, typed.slice(0, 508)))).to.have.property('type', 'EmailSignInError')
    }
  })

  it('says nothing of the address in its error', () => {
    const error = thrownBy(() => readAddress(ours, 'ann@secret@x.test')) as AuthError
    expect(`${error.message} ${JSON.stringify(error.cause)}`).to.not.include('secret')
  })
})

describe('`normalizeIdentifier`', () => {
  for (const letter of ['\u212a', '\u212b', '\u017f', '\uff4b', '\u0131', '\u0130']) {
    it(`cannot accept a letter that would become another one: U+${letter.charCodeAt(0).toString(16)}`, () => {
      const identity = with_((typed) => typed)
      expect(() => readAddress(identity, `${letter}im@corp.test`)).to.throw(EmailSignInError)
      expect(isMailedAddress(identity, `${letter}im@corp.test`)).to.equal(false)
    })
  }

  it('replaces our rule', () => {
    expect(
      readAddress(
        with_((typed) => typed.toUpperCase()),
        'ann@x.test',
      ),
    ).to.equal('ANN@X.TEST')
    expect(
      readAddress(
        with_(() => 'jörg@bücher.example'),
        'x',
      ),
    ).to.equal('jörg@bücher.example')
    expect(
      readAddress(
        with_((typed) => `${typed}@corp.test`),
        'ann',
      ),
    ).to.equal('ann@corp.test')
  })

  for (const [what, made] of Object.entries({
    'two addresses': 'a@x.test,b@y.test',
    'two addresses with a semicolon': 'a@x.test;b@y.test',
    'a name and an address': 'Ann <a@x.test>',
    'a line break': 'a@x.test\r\nBcc: b@y.test',
    'a bare line feed': 'a@x.test\n',
    'a space': 'a@x.test b',
    'a quoted part': '"a b"@x.test',
    'a character that hides': 'a@x\u200b.test',
    'no address': 'ann',
    'two at signs': 'a@b@x.test',
    'nothing before the at sign': '@x.test',
    'too much': `${'a'.repeat(250)}@x.test`,
    nothing: '',
    undefined: undefined,
    null: null,
    'an array': ['a@x.test', 'b@y.test'],
    'an object': { address: 'a@x.test' },
    'a promise': Promise.resolve('a@x.test'),
  })) {
    it(`must not return ${what}`, () => {
      expect(
        thrownBy(() =>
          readAddress(
            with_(() => made),
            'ann@x.test',
          ),
        ),
      ).to.have.property('type', 'EmailSignInError')
    })
  }

  it('that throws rejects, and the log has the reason', () => {
    const reason = new Error('only our own people')
    const error = thrownBy(() =>
      readAddress(
        with_(() => {
          throw reason
        }),
        'ann@x.test',
      ),
    ) as AuthError
    expect(error.type).to.equal('EmailSignInError')
    expect(error.cause?.err).to.equal(reason)
  })

  it('is not called with values that are no text, or far too long', () => {
    const seen: unknown[] = []
    const provider = with_((typed) => seen.push(typed))
    for (const typed of [undefined, 7, ['a@x.test'], {}, 'a'.repeat(509)]) {
      expect(thrownBy(() => readAddress(provider, typed))).to.have.property('type', 'EmailSignInError')
    }
    expect(seen).to.deep.equal([])
  })
})

describe('a typed address', () => {
  const stage = useMailStage()

  it('is rejected with one and the same text, without a mail or a query to the database', async () => {
    await stage.restart({ limit: false })
    for (const typed of [...refused.filter((each) => typeof each === 'string'), ['a@x.test', 'b@y.test']]) {
      const response = await stage.ask(typed)
      expect(target(response), JSON.stringify(typed)).to.equal(`${stage.app.origin}/auth/signin?error=EmailSignInError`)
    }
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
    expect(stage.calls).to.deep.equal([])
    const page = await stage.browser.get('/auth/signin?error=EmailSignInError')
    expect(page.status).to.equal(200)
    expect(page.text).to.match(/role="alert"|class="[^"]*error/)
  })

  it('EM-06 HP-03 is rejected as JSON of other types', async () => {
    const csrfToken = await stage.browser.csrf()
    for (const email of [{ a: 1 }, ['a@x.test', 'b@y.test'], 7, null, true]) {
      const response = await stage.browser.send('post', '/auth/signin/email', { json: { csrfToken, email } })
      expect(target(response)).to.match(/error=EmailSignInError$/)
    }
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
  })

  for (const [typed, address] of taken.filter(([each]) => each !== each.trim() || !/^[\w.@]+$/.test(each))) {
    it(`EM-01 EM-02 EM-04 sends the mail for ${JSON.stringify(typed)} to the stored address, letter by letter`, async () => {
      await stage.ask(typed)
      const mail = await stage.server.next()
      expect(mail.to).to.deep.equal([address])
      expect(queryOf(mail.parsed.text?.match(/http\S+callback\S+/)?.[0] ?? '').email).to.equal(address)
      const [made] = stage.calls.filter(({ method }) => method === 'createVerificationToken')
      expect(made?.args[0]).to.have.property('identifier', address)
    })
  }

  it('EM-04 LK-12 makes one user of all spellings, and another one of a look-alike', async () => {
    for (const typed of ['ann@apple.test', ' ANN@Apple.test', 'ann＠apple．test', 'ann@аpple.test']) {
      const browser = stage.app.browser()
      await browser.get(await stage.linkFor(typed, { browser }))
    }
    const made = stage.calls.filter(({ method }) => method === 'createUser').map(({ args: [user] }) => user)
    expect(made.map((user) => (user as { email: string }).email)).to.deep.equal([
      'ann@apple.test',
      'ann@xn--pple-43d.test',
    ])
  })

  it('works with a rule of the developer that does not leave its own result alone', async () => {
    await stage.restart({ normalizeIdentifier: (typed) => `${typed.trim().toLowerCase()}@corp.test` })
    await stage.expectSignedIn(await stage.browser.get(await stage.linkFor('Ann')), 'ann@corp.test')
    const link = await stage.linkFor('bob')
    const other = stage.app.browser()
    await stage.expectSignedIn(await stage.confirm(other, link), 'bob@corp.test', { browser: other })
  })

  it("is rejected if the developer's function throws, and only the log has the reason", async () => {
    await stage.restart({
      normalizeIdentifier: () => {
        throw new Error('only our own people')
      },
    })
    expect(target(await stage.ask('ann@x.test'))).to.match(/\/auth\/signin\?error=EmailSignInError$/)
    expect((stage.app.log.errors[0] as AuthError).cause?.err?.message).to.equal('only our own people')
  })

  it('in a link is rejected if it was changed', async () => {
    const link = await stage.linkFor('ann@example.com')
    for (const email of ['ANN@example.com', ' ann@example.com', 'ann＠example.com', 'ann@example.com,b@y.test', '']) {
      expect(target(await stage.browser.get(changed(link, { email })))).to.match(/\/auth\/error\?error=Verification$/)
    }
    const twice = `${link}&email=bob%40example.com`
    expect(target(await stage.browser.get(twice))).to.match(/error=Verification$/)
    expect(target(await stage.browser.get(`${link}&token=x`))).to.match(/error=Verification$/)
    await stage.expectSignedIn(await stage.browser.get(link), 'ann@example.com')
  })
})
