/** Sessions of the database strategy. */
import assert from 'node:assert/strict'
import { assertMoment, assertRejects, type ContractGroup, contractCase } from './contract-case.js'
import { inDays, newSecret, newSession, storedUser } from './records.js'

/** Moments at the end of daylight saving time (Europe, America), in both halves of the year, and after 2038. */
const moments = [
  '2031-01-15T12:34:56.000Z',
  '2031-07-15T23:59:59.000Z',
  '2031-10-26T00:30:00.000Z',
  '2031-10-26T01:30:00.000Z',
  '2031-11-02T05:30:00.000Z',
  '2031-11-02T06:30:00.000Z',
  '2041-02-28T00:00:00.000Z',
]

export const sessions: ContractGroup = {
  name: 'sessions',
  cases: [
    contractCase(
      'getSessionAndUser returns both',
      ['createUser', 'createSession', 'getSessionAndUser'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter, { emailVerified: inDays(-1) }), await storedUser(adapter)]
        const session = newSession(user.id)
        const created = await adapter.createSession(session)
        assert.equal(created.sessionToken, session.sessionToken, 'createSession returned another session')
        await adapter.createSession(newSession(other.id))
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assert.ok(found, 'a session that was just begun is not found')
        assert.equal(found.session.sessionToken, session.sessionToken, 'the session has another token')
        assert.equal(found.session.userId, user.id, 'the session belongs to another user')
        assert.equal(found.user.id, user.id, 'the id of the user is not that of the session, or of another row')
        assert.equal(found.user.email, user.email, 'the user of the session is not whole')
        assert.equal(found.user.name, user.name, 'the user of the session is not whole')
        assertMoment(found.session.expires, session.expires, 'the end of the session')
        assertMoment(found.user.emailVerified, inDays(-1), 'emailVerified of the user of a session')
      },
    ),
    contractCase('getSessionAndUser is null for an unknown token', ['getSessionAndUser'], async (adapter) => {
      assert.equal(await adapter.getSessionAndUser(newSecret()), null, 'an unknown token must be null, not an error')
    }),
    contractCase(
      'keeps the end of a session, whatever the time zone',
      ['createUser', 'createSession', 'getSessionAndUser'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        for (const moment of moments) {
          const session = newSession(id, { expires: new Date(moment) })
          await adapter.createSession(session)
          const found = await adapter.getSessionAndUser(session.sessionToken)
          assertMoment(found?.session.expires, session.expires, 'a session would end too early, or too late')
        }
      },
    ),
    contractCase(
      'tells the true end of a session that is over, or that there is none',
      ['createUser', 'createSession', 'getSessionAndUser'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const session = newSession(id, { expires: inDays(-1) })
        await adapter.createSession(session)
        const found = await adapter.getSessionAndUser(session.sessionToken)
        if (found) assertMoment(found.session.expires, session.expires, 'a session that is over must not look current')
      },
    ),
    contractCase(
      'createSession rejects a token that is taken',
      ['createUser', 'createSession', 'getSessionAndUser'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const session = newSession(user.id)
        await adapter.createSession(session)
        await assertRejects(() => adapter.createSession({ ...session, userId: other.id }), 'two users have one session')
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assert.equal(found?.user.id, user.id, 'a session changed hands')
      },
    ),
    contractCase(
      'a user may have several sessions',
      ['createUser', 'createSession', 'getSessionAndUser', 'deleteSession'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const [first, second] = [newSession(user.id), newSession(user.id)]
        await adapter.createSession(first)
        await adapter.createSession(second)
        for (const { sessionToken } of [first, second]) {
          const found = await adapter.getSessionAndUser(sessionToken)
          assert.equal(found?.user.id, user.id, 'signing in on one device ended the session of another')
        }
        await adapter.deleteSession(first.sessionToken)
        assert.equal(await adapter.getSessionAndUser(first.sessionToken), null, 'signing out did not end the session')
        const found = await adapter.getSessionAndUser(second.sessionToken)
        assert.equal(found?.user.id, user.id, 'signing out on one device ended the session of another')
      },
    ),
    contractCase(
      'updateSession extends the session, and nothing else of it',
      ['createUser', 'createSession', 'getSessionAndUser', 'updateSession'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const [session, other] = [newSession(user.id), newSession(user.id)]
        await adapter.createSession(session)
        await adapter.createSession(other)
        const expires = inDays(60)
        await adapter.updateSession({ sessionToken: session.sessionToken, expires })
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assertMoment(found?.session.expires, expires, 'a session in use was not extended')
        assert.equal(found?.user.id, user.id, 'an extended session lost its user')
        const untouched = await adapter.getSessionAndUser(other.sessionToken)
        assertMoment(untouched?.session.expires, other.expires, 'another session was extended too')
      },
    ),
    contractCase(
      'updateSession of a session that is not there returns nothing and creates nothing',
      ['createUser', 'getSessionAndUser', 'updateSession'],
      async (adapter) => {
        const session = newSession((await storedUser(adapter)).id)
        const updated = await adapter.updateSession(session)
        assert.equal(updated ?? null, null, 'the engine would treat the session as one that still exists')
        const found = await adapter.getSessionAndUser(session.sessionToken)
        assert.equal(found, null, 'a session that was ended came back to life when it was extended')
      },
    ),
    contractCase(
      'deleteSession ends the session; a second time is no error',
      ['createUser', 'createSession', 'getSessionAndUser', 'deleteSession'],
      async (adapter) => {
        const session = newSession((await storedUser(adapter)).id)
        await adapter.createSession(session)
        const deleted = await adapter.deleteSession(session.sessionToken)
        assert.equal(
          deleted?.sessionToken ?? session.sessionToken,
          session.sessionToken,
          'another session was returned',
        )
        assert.equal(await adapter.getSessionAndUser(session.sessionToken), null, 'signing out did not end the session')
        const again = await adapter.deleteSession(session.sessionToken)
        assert.equal(again ?? null, null, 'a session that was not there was returned')
      },
    ),
    contractCase(
      'listSessionsByUserId lists the sessions of that user',
      ['createUser', 'createSession', 'deleteSession', 'listSessionsByUserId'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        assert.deepEqual(await adapter.listSessionsByUserId(user.id), [], 'a user without sessions has an empty list')
        const [first, second, third] = [
          newSession(user.id),
          newSession(user.id, { expires: inDays(7) }),
          newSession(user.id),
        ]
        for (const session of [first, second, third, newSession(other.id)]) await adapter.createSession(session)
        await adapter.deleteSession(third.sessionToken)
        const listed = await adapter.listSessionsByUserId(user.id)
        const tokens = listed.map(({ sessionToken }) => sessionToken).sort()
        assert.deepEqual(
          tokens,
          [first.sessionToken, second.sessionToken].sort(),
          'a user would see the sessions of another user',
        )
        const found = listed.find(({ sessionToken }) => sessionToken === second.sessionToken)
        assertMoment(found?.expires, second.expires, 'the end of a listed session')
        assert.equal(found?.userId, user.id, 'a listed session belongs to another user')
      },
    ),
    contractCase(
      'getSessions finds those of 500 sessions that exist',
      ['createUser', 'createSession', 'updateSession', 'deleteSession', 'getSessions'],
      async (adapter) => {
        const users = [await storedUser(adapter), await storedUser(adapter)]
        const created = users.map(({ id }) => newSession(id))
        const ended = newSession(users[0]?.id ?? '')
        for (const session of [...created, ended, newSession(ended.userId)]) await adapter.createSession(session)
        await adapter.deleteSession(ended.sessionToken)
        const [first] = created
        assert.ok(first)
        await adapter.updateSession({ sessionToken: first.sessionToken, expires: inDays(9) })
        const unknown = Array.from({ length: 497 }, newSecret)
        const asked = [ended, ...created].map(({ sessionToken }) => sessionToken)
        const found = await adapter.getSessions([...unknown, ...asked])
        assert.equal(found.length, 2, 'a session is missing, or one is found that has ended or was not asked for')
        for (const { sessionToken, userId, expires } of created) {
          const one = found.find((each) => each.sessionToken === sessionToken)
          assert.equal(one?.userId, userId, 'a session is missing, or belongs to another user')
          assertMoment(one?.expires, sessionToken === first.sessionToken ? inDays(9) : expires, 'the end of a session')
        }
        assert.deepEqual(await adapter.getSessions([]), [], 'sessions are found although none was asked for')
      },
    ),
    contractCase(
      'deleteSessionsByUserId ends all sessions of that user, and no others',
      ['createUser', 'createSession', 'getSessionAndUser', 'deleteSessionsByUserId'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const [first, second, others] = [newSession(user.id), newSession(user.id), newSession(other.id)]
        for (const session of [first, second, others]) await adapter.createSession(session)
        await adapter.deleteSessionsByUserId(user.id)
        for (const { sessionToken } of [first, second]) {
          assert.equal(
            await adapter.getSessionAndUser(sessionToken),
            null,
            'an earlier session of the user still exists',
          )
        }
        const found = await adapter.getSessionAndUser(others.sessionToken)
        assert.equal(found?.user.id, other.id, 'another user was signed out')
        await adapter.deleteSessionsByUserId(user.id)
      },
    ),
  ],
}
