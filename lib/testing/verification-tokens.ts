/** Cases of verification tokens: the stored part of email links. */
import assert from 'node:assert/strict'
import { assertMoment, assertRejects, type ContractGroup, contractCase } from './contract-case.js'
import { inDays, newSecret, newToken } from './records.js'

export const verificationTokens: ContractGroup = {
  name: 'verification tokens',
  cases: [
    contractCase(
      'useVerificationToken returns the token once',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const token = newToken()
        await adapter.createVerificationToken(token)
        const key = { identifier: token.identifier, token: token.token }
        const used = await adapter.useVerificationToken(key)
        assert.ok(used, 'a link that was just mailed is not found')
        assert.equal(used.identifier, token.identifier, 'a link belongs to another address')
        assert.equal(used.token, token.token, 'another token was returned')
        assertMoment(used.expires, token.expires, 'the end of a link')
        assert.equal(await adapter.useVerificationToken(key), null, 'a link signs in twice')
      },
    ),
    contractCase('useVerificationToken is null for an unknown token', ['useVerificationToken'], async (adapter) => {
      const { identifier, token } = newToken()
      const used = await adapter.useVerificationToken({ identifier, token })
      assert.equal(used, null, 'an unknown token must be null, not an error')
    }),
    contractCase(
      'useVerificationToken wants both address and token, and leaves others alone',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const [first, second] = [newToken(), newToken()]
        await adapter.createVerificationToken(first)
        await adapter.createVerificationToken(second)
        for (const [identifier, token] of [
          [first.identifier, second.token],
          [second.identifier, first.token],
          [first.identifier, newSecret()],
        ] as const) {
          const used = await adapter.useVerificationToken({ identifier, token })
          assert.equal(used, null, 'the link of one address signs in another one')
        }
        for (const { identifier, token } of [first, second]) {
          const used = await adapter.useVerificationToken({ identifier, token })
          assert.equal(used?.token, token, 'a wrong try, or the use of another link, used up a link')
        }
      },
    ),
    contractCase(
      'keeps several tokens of one address',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const first = newToken()
        const second = newToken({ identifier: first.identifier, expires: inDays(2) })
        await adapter.createVerificationToken(first)
        await adapter.createVerificationToken(second)
        for (const { identifier, token, expires } of [second, first]) {
          const used = await adapter.useVerificationToken({ identifier, token })
          assert.equal(used?.token, token, 'the second link of an address replaced the first, or the other way round')
          assertMoment(used?.expires, expires, 'the end of one of two links')
        }
      },
    ),
    contractCase(
      'createVerificationToken rejects a token that the address has already',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const token = newToken()
        await adapter.createVerificationToken(token)
        await assertRejects(
          () => adapter.createVerificationToken({ ...token, expires: inDays(2) }),
          'one link has two rows: it signs in twice, or lives longer than it says',
        )
        const key = { identifier: token.identifier, token: token.token }
        assertMoment((await adapter.useVerificationToken(key))?.expires, token.expires, 'the end of the first link')
        assert.equal(await adapter.useVerificationToken(key), null, 'a link signs in twice')
      },
    ),
    contractCase(
      'tells the true end of a token that is over, or that there is none',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const { identifier, token, expires } = newToken({ expires: inDays(-1) })
        await adapter.createVerificationToken({ identifier, token, expires })
        const used = await adapter.useVerificationToken({ identifier, token })
        if (used) assertMoment(used.expires, expires, 'a link that is over must not look current')
      },
    ),
    contractCase(
      'deleteVerificationTokens deletes all tokens of that address, and no others',
      ['createVerificationToken', 'useVerificationToken', 'deleteVerificationTokens'],
      async (adapter) => {
        const [first, other] = [newToken(), newToken()]
        const second = newToken({ identifier: first.identifier })
        for (const token of [first, second, other]) await adapter.createVerificationToken(token)
        await adapter.deleteVerificationTokens(first.identifier)
        for (const { identifier, token } of [first, second]) {
          const used = await adapter.useVerificationToken({ identifier, token })
          assert.equal(used, null, 'an older link of the address is still good')
        }
        const { identifier, token } = other
        const used = await adapter.useVerificationToken({ identifier, token })
        assert.equal(used?.token, token, 'the link of another user was deleted')
        await adapter.deleteVerificationTokens(first.identifier)
      },
    ),
  ],
}
