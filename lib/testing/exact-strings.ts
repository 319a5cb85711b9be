/**
 * Cases of exact strings: a collation or pattern of the database must not treat different ids, tokens or addresses as
 * equal.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type ContractGroup, contractCase } from './contract-case.js'
import { newAccount, newAuthenticator, newProvider, newSecret, newSession, newToken, storedUser } from './records.js'

/** Two different texts, and the difference that a store may ignore. */
type LookalikePair = readonly [what: string, first: string, second: string]

const ascii: readonly LookalikePair[] = [
  ['upper and lower case', 'abc', 'ABC'],
  ['a trailing space', 'abc', 'abc '],
  ['a leading space', 'abc', ' abc'],
  ['%', 'abc', 'a%'],
  ['_', 'abc', 'a_c'],
  ['a backslash', 'abc', 'ab\\c'],
  ['quotes', 'abc', `abc'"`],
  ['SQL', 'abc', `x' OR '1'='1`],
  ['numbers', '7', '007'],
  ['numbers', '1000', '1e3'],
]

const unicode: readonly LookalikePair[] = [
  ['accents', 'rene', 'rené'],
  ['composed and decomposed letters', 'ren\u00e9', 'rene\u0301'],
  ['ß and ss', 'strasse', 'straße'],
  ['the i without a dot', 'mike', 'mıke'],
  ['letters of full width', 'abc', 'ａｂｃ'],
  ['Cyrillic letters', 'a', 'а'],
  ['characters of no width', 'abc', 'ab\u200bc'],
  ['emoji', 'a😀', 'a😁'],
]

/** 255 characters, with the prefix before them. */
const long: LookalikePair = ['the last of 255 characters', `${'x'.repeat(218)}a`, `${'x'.repeat(218)}b`]

/** Returns 36 characters. */
function newPrefix(): string {
  return randomBytes(18).toString('hex')
}

function lookalikeMessage(what: string, kind: string): string {
  return `${kind}: the store treats texts as equal that differ by ${what}; one user gets the data of another`
}

export const exactStrings: ContractGroup = {
  name: 'exact strings',
  cases: [
    contractCase(
      'provider account ids are exact',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        for (const [what, ...pair] of [...ascii, ...unicode, long]) {
          const prefix = newPrefix()
          const [first = '', second = ''] = pair.map((text) => prefix + text)
          const account = newAccount(user.id, { providerAccountId: first })
          const lookalike = { ...account, userId: other.id, providerAccountId: second }
          await adapter.linkAccount(account)
          const early = await adapter.getUserByAccount(lookalike)
          assert.equal(early, null, lookalikeMessage(what, 'provider account ids'))
          await adapter.linkAccount(lookalike)
          const found = [await adapter.getUserByAccount(account), await adapter.getUserByAccount(lookalike)]
          assert.deepEqual(
            found.map((each) => each?.id),
            [user.id, other.id],
            lookalikeMessage(what, 'provider account ids'),
          )
        }
      },
    ),
    contractCase('providers are exact', ['createUser', 'linkAccount', 'getUserByAccount'], async (adapter) => {
      const user = await storedUser(adapter)
      for (const [what, first, second] of ascii) {
        const provider = newProvider()
        const account = newAccount(user.id, { provider: provider + first })
        await adapter.linkAccount(account)
        const found = await adapter.getUserByAccount({ ...account, provider: provider + second })
        assert.equal(found, null, lookalikeMessage(what, 'providers'))
      }
    }),
    // In lower case, and without spaces, as the engine writes them.
    contractCase('addresses are exact', ['createUser', 'getUserByEmail'], async (adapter) => {
      const pairs = [...ascii, ...unicode].filter(([, ...pair]) => !/[A-Z\s"]/.test(pair.join('')))
      for (const [what, ...pair] of pairs) {
        const prefix = newPrefix()
        const [first = '', second = ''] = pair.map((text) => `${prefix}${text}@example.test`)
        const user = await storedUser(adapter, { email: first })
        assert.equal(await adapter.getUserByEmail(second), null, lookalikeMessage(what, 'addresses'))
        const other = await storedUser(adapter, { email: second })
        assert.equal((await adapter.getUserByEmail(first))?.id, user.id, lookalikeMessage(what, 'addresses'))
        assert.equal((await adapter.getUserByEmail(second))?.id, other.id, lookalikeMessage(what, 'addresses'))
      }
    }),
    contractCase(
      'session tokens are exact',
      ['createUser', 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
      async (adapter) => {
        const user = await storedUser(adapter)
        for (const [what, first, second] of ascii) {
          const token = newSecret()
          const session = newSession(user.id, { sessionToken: token + first })
          await adapter.createSession(session)
          assert.equal(await adapter.getSessionAndUser(token + second), null, lookalikeMessage(what, 'session tokens'))
          await adapter.updateSession({ sessionToken: token + second, expires: new Date(0) })
          await adapter.deleteSession(token + second)
          const found = await adapter.getSessionAndUser(session.sessionToken)
          assert.ok(found && found.session.expires.getTime() > 0, lookalikeMessage(what, 'session tokens'))
        }
      },
    ),
    contractCase(
      'verification tokens are exact',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        for (const [what, first, second] of ascii) {
          const token = newToken()
          await adapter.createVerificationToken({ ...token, token: token.token + first })
          const { identifier } = token
          const early = await adapter.useVerificationToken({ identifier, token: token.token + second })
          assert.equal(early, null, lookalikeMessage(what, 'verification tokens'))
          const used = await adapter.useVerificationToken({ identifier, token: token.token + first })
          assert.ok(used, lookalikeMessage(what, 'verification tokens'))
        }
      },
    ),
    contractCase(
      'addresses of verification tokens are exact',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        for (const [what, first, second] of unicode) {
          const prefix = newPrefix()
          const token = newToken({ identifier: `${prefix}${first}@example.test` })
          await adapter.createVerificationToken(token)
          const identifier = `${prefix}${second}@example.test`
          const early = await adapter.useVerificationToken({ identifier, token: token.token })
          assert.equal(early, null, lookalikeMessage(what, 'addresses of tokens'))
          const used = await adapter.useVerificationToken({ identifier: token.identifier, token: token.token })
          assert.equal(used?.identifier, token.identifier, lookalikeMessage(what, 'addresses of tokens'))
        }
      },
    ),
    contractCase(
      'deleteVerificationTokens takes an address for no pattern',
      ['createVerificationToken', 'useVerificationToken', 'deleteVerificationTokens'],
      async (adapter) => {
        const prefix = newPrefix()
        const token = newToken({ identifier: `${prefix}ab@example.test` })
        await adapter.createVerificationToken(token)
        for (const tail of ['%', '_b@example.test', `' OR '1'='1`]) {
          await adapter.deleteVerificationTokens(prefix + tail)
        }
        const used = await adapter.useVerificationToken({ identifier: token.identifier, token: token.token })
        assert.ok(used, 'a wildcard as an address deletes the links of other users')
      },
    ),
    contractCase(
      'ids of passkeys are exact',
      ['createUser', 'createAuthenticator', 'getAuthenticator'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const key = newAuthenticator(user.id)
        await adapter.createAuthenticator(key)
        const found = await adapter.getAuthenticator(swapCase(key.credentialID))
        assert.equal(found, null, lookalikeMessage('upper and lower case', 'ids of passkeys'))
      },
    ),
    contractCase(
      'names of JavaScript are words like others',
      ['createUser', 'linkAccount', 'getUserByAccount', 'getUserByEmail', 'getSessionAndUser'],
      async (adapter) => {
        const user = await storedUser(adapter)
        for (const word of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
          assert.equal(await adapter.getUserByEmail(word), null, `a user was found by the address ${word}`)
          assert.equal(await adapter.getSessionAndUser(word), null, `a session was found by the token ${word}`)
          const account = newAccount(user.id, { providerAccountId: word })
          assert.equal(await adapter.getUserByAccount(account), null, `a user was found by the account ${word}`)
          await adapter.linkAccount(account)
          const found = await adapter.getUserByAccount(account)
          assert.equal(found?.id, user.id, `the account ${word} was not stored`)
        }
      },
    ),
  ],
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
