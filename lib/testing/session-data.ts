/** Data of the application in a session (`session.data`). */
import assert from 'node:assert/strict'
import { type ContractGroup, contractCase, settleAll } from './contract-case.js'
import { inDays, newSecret, newSession, storedUser } from './records.js'

/** 16 KiB, with characters of each length, quotes, and characters that end texts in some databases. */
const longText = JSON.stringify({ text: 'aé€😀"\\\u0000\n '.repeat(500), pad: 'x'.repeat(4_800) })

export const sessionData: ContractGroup = {
  name: 'session data',
  cases: [
    contractCase(
      'is read with the session and its user',
      ['createUser', 'createSession', 'getSessionUserAndData', 'writeSessionData'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const [{ sessionToken, expires }, other] = [newSession(user.id), newSession(user.id)]
        for (const session of [{ sessionToken, expires, userId: user.id }, other]) await adapter.createSession(session)
        assert.equal(
          await adapter.getSessionUserAndData(newSecret()),
          null,
          'an unknown token must be null, not an error',
        )
        const empty = await adapter.getSessionUserAndData(sessionToken)
        assert.equal(empty?.data, null, 'a new session has data')
        assert.equal(empty?.user.email, user.email, 'the user of the session is not whole')
        assert.equal(empty?.session.expires.getTime(), expires.getTime(), 'the end of the session')
        assert.equal(await adapter.writeSessionData({ sessionToken, data: longText, previous: null }), true)
        const found = await adapter.getSessionUserAndData(sessionToken)
        assert.equal(found?.data, longText, 'the data is not what was stored')
        assert.equal(found?.session.sessionToken, sessionToken, 'another session was read')
        const others = await adapter.getSessionUserAndData(other.sessionToken)
        assert.equal(others?.data, null, 'the data of a session is that of another one, too')
      },
    ),
    contractCase(
      'is written only where it is as it was read',
      ['createUser', 'createSession', 'getSessionUserAndData', 'writeSessionData'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const { sessionToken, ...session } = newSession(id)
        await adapter.createSession({ sessionToken, ...session })
        const write = (data: string, previous: string | null) =>
          adapter.writeSessionData({ sessionToken, data, previous })
        assert.equal(await write('{"a":1}', '{}'), false, 'it was written over data that was never there')
        assert.equal(await write('{"a":1}', null), true)
        assert.equal(await write('{"a":2}', null), false, 'a second change took the first one for nothing')
        assert.equal(await write('{"a":3}', '{"A":1}'), false, 'upper and lower case are two texts')
        assert.equal(await write('{"a":3}', '{"a":1} '), false, 'a space at the end is another text')
        assert.equal(
          (await adapter.getSessionUserAndData(sessionToken))?.data,
          '{"a":1}',
          'it was written all the same',
        )
        assert.equal(
          await write('{"a":4}', '{"a":1}'),
          true,
          'a change that was based on the stored data was not written',
        )
        assert.equal((await adapter.getSessionUserAndData(sessionToken))?.data, '{"a":4}')
      },
    ),
    contractCase(
      'of 20 changes at once exactly one is written',
      ['createUser', 'createSession', 'getSessionUserAndData', 'writeSessionData'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const session = newSession(id)
        const { sessionToken } = session
        await adapter.createSession(session)
        let previous: string | null = null
        for (const round of ['first', 'second']) {
          const texts = Array.from({ length: 20 }, (_each, at) => JSON.stringify({ round, at }))
          const before: string | null = previous
          const outcomes: PromiseSettledResult<boolean>[] = await settleAll(
            texts.map((data) => async () => adapter.writeSessionData({ sessionToken, data, previous: before })),
          )
          const written = outcomes.flatMap((each, at) => (each.status === 'fulfilled' && each.value ? [texts[at]] : []))
          assert.equal(written.length, 1, 'changes at the same time undo one another')
          const stored = (await adapter.getSessionUserAndData(sessionToken))?.data
          assert.equal(stored, written[0], 'another change was written than the one that said so')
          previous = stored ?? null
        }
      },
    ),
    contractCase(
      'stays while the session is extended',
      ['createUser', 'createSession', 'updateSession', 'getSessionUserAndData', 'writeSessionData'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const session = newSession(id, { expires: new Date(Date.now() + 800) })
        const { sessionToken } = session
        await adapter.createSession(session)
        await adapter.writeSessionData({ sessionToken, data: '{"a":1}', previous: null })
        await adapter.updateSession({ sessionToken, expires: inDays(30) })
        await new Promise((resolve) => setTimeout(resolve, 900))
        assert.equal(
          (await adapter.getSessionUserAndData(sessionToken))?.data,
          '{"a":1}',
          'the data of a living session is gone',
        )
      },
    ),
    contractCase(
      'ends with the session',
      ['createUser', 'createSession', 'deleteSession', 'getSessionUserAndData', 'writeSessionData'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const session = newSession(id)
        const { sessionToken } = session
        await adapter.createSession(session)
        await adapter.writeSessionData({ sessionToken, data: '{"a":1}', previous: null })
        await adapter.deleteSession(sessionToken)
        assert.equal(await adapter.getSessionUserAndData(sessionToken), null, 'signing out did not end the session')
        const late = await adapter.writeSessionData({ sessionToken, data: '{"a":2}', previous: null })
        assert.equal(late, false, 'data was written to a session that has ended')
        assert.equal(await adapter.getSessionUserAndData(sessionToken), null, 'the data brought the session back')
      },
    ),
  ],
}
