/** Cases of races: concurrent requests or processes. */
import assert from 'node:assert/strict'
import { type ContractGroup, contractCase, settleAll } from './contract-case.js'
import { inDays, newAccount, newSession, newToken, newUser, storedUser } from './records.js'

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function succeeded<T>(outcomes: ReadonlyArray<PromiseSettledResult<T>>): T[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

export const races: ContractGroup = {
  name: 'races',
  cases: [
    contractCase(
      'of 50 uses of one token at once exactly one gets it',
      ['createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const { identifier, token, expires } = newToken()
        await adapter.createVerificationToken({ identifier, token, expires })
        const outcomes = await settleAll(times(50, () => () => adapter.useVerificationToken({ identifier, token })))
        const answers = succeeded(outcomes)
        assert.equal(answers.length, 50, 'who comes too late gets null: a rejection would be an error page')
        const winners = answers.filter((answer) => answer !== null)
        assert.equal(winners.length, 1, 'one link signs in several times; find and delete in one step')
      },
    ),
    contractCase(
      'of 20 users with one address at once exactly one is created',
      ['createUser', 'getUserByEmail'],
      async (adapter) => {
        const { email } = newUser()
        const outcomes = await settleAll(times(20, () => () => adapter.createUser(newUser({ email }))))
        const created = succeeded(outcomes)
        assert.equal(
          created.length,
          1,
          'a person who signs in twice at once becomes several; the address must be unique in the database',
        )
        const found = await adapter.getUserByEmail(email)
        assert.equal(found?.id, created[0]?.id, 'the user who was created is not the one who is found')
      },
    ),
    contractCase(
      'of 20 links of one account at once exactly one is stored',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const users = [await storedUser(adapter), await storedUser(adapter)]
        const account = newAccount('')
        const links = times(20, (index) => async () => {
          const userId = users[index % 2]?.id ?? ''
          await adapter.linkAccount({ ...account, userId })
          return userId
        })
        const owners = succeeded(await settleAll(links))
        assert.equal(owners.length, 1, 'an account has two owners; provider and id must be unique in the database')
        const found = await adapter.getUserByAccount(account)
        assert.equal(found?.id, owners[0], 'the account belongs to another user than the one it was linked to')
      },
    ),
    contractCase(
      'a session that is deleted while it is extended does not come back',
      ['createUser', 'createSession', 'getSessionAndUser', 'updateSession', 'deleteSession'],
      async (adapter) => {
        const user = await storedUser(adapter)
        for (const before of times(10, (index) => index)) {
          const session = newSession(user.id)
          const { sessionToken } = session
          await adapter.createSession(session)
          const extend = async () => void (await adapter.updateSession({ sessionToken, expires: inDays(60) }))
          const end = async () => void (await adapter.deleteSession(sessionToken))
          await settleAll([...times(before, () => extend), end, ...times(10 - before, () => extend)])
          const found = await adapter.getSessionAndUser(sessionToken)
          assert.equal(
            found,
            null,
            'a session deleted while it is extended must not come back, because the user signed out',
          )
        }
      },
    ),
    contractCase(
      'sessions that begin at once are all there',
      ['createUser', 'createSession', 'getSessionAndUser'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const sessions = times(20, () => newSession(user.id))
        const outcomes = await settleAll(sessions.map((session) => () => adapter.createSession(session)))
        assert.equal(
          succeeded(outcomes).length,
          sessions.length,
          'users who sign in at the same time hinder each other',
        )
        for (const { sessionToken } of sessions) {
          const found = await adapter.getSessionAndUser(sessionToken)
          assert.equal(found?.user.id, user.id, 'a session was lost after the sign-in')
        }
      },
    ),
  ],
}
