/** An answer that was under way in one process while the session ended in another brings no cookie of it. */
import { expect } from 'chai'
import { migrate, sqlStore } from '../../lib/adapters/sql/index.js'
import { getSession } from '../../lib/index.js'
import { gate } from '../sign-in/linking-stage.js'
import type { Browser, TestApp } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { openDatabase, type TestDatabase } from '../support/databases.js'
import { cookieLines } from '../support/session.js'
import { at, beginSession, isIn, startSite } from './sites.js'

const maxStale = 5

describe('an answer that comes late, and a session that ends in another process', () => {
  let database: TestDatabase
  let here: TestApp
  let there: TestApp
  let begun = gate()
  let free = gate()
  before(async () => {
    database = await openDatabase('sqlite')
    await migrate(database.db)
    const start = () =>
      startSite(sqlStore(database.db), {
        maxStale,
        session: { updateAge: 0 },
        routes: (app, config) => {
          app.get('/slow', (req, res, next) => {
            getSession(req, config)
              .then(async (found) => {
                begun.open()
                await free.opened
                res.json(found)
              })
              .catch(next)
          })
        },
      })
    here = await start()
    there = await start()
  })
  beforeEach(() => {
    begun = gate()
    free = gate()
  })
  after(async () => {
    restoreClock()
    await Promise.all([here.close(), there.close()])
    await database.close()
  })

  /** A long poll over there, and its answer once `meanwhile` is over. */
  async function poll(ann: Browser, meanwhile: () => Promise<unknown>) {
    const answer = at(there, ann).get('/slow')
    await begun.opened
    await meanwhile()
    free.open()
    return answer
  }

  it('has a cookie where nothing has ended', async () => {
    const ann = await beginSession(here, 'ann')
    expect(cookieLines(await poll(ann, async () => {}))).to.have.length(1)
  })

  it('has none where the process has learnt of the end', async () => {
    const [ann, bob] = [await beginSession(here, 'ann'), await beginSession(here, 'bob')]
    const answer = await poll(ann, async () => {
      await ann.submit('/auth/signout')
      advanceClock(maxStale + 1)
      expect(await isIn(at(there, bob))).to.equal(true)
    })
    expect(answer.body).not.to.equal(null)
    expect(cookieLines(answer)).to.deep.equal([])
  })

  it('has none if the process has not queried the store for too long', async () => {
    const ann = await beginSession(here, 'ann')
    const answer = await poll(ann, async () => {
      await ann.submit('/auth/signout')
      advanceClock(2 * maxStale + 1)
    })
    expect(cookieLines(answer)).to.deep.equal([])
    expect(await isIn(at(there, ann))).to.equal(false)
  })
})
