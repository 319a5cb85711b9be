/**
 * The functions and routes that reject an impersonated session. The tests are made from the rules of functions and the table of routes, so a new
 * function or route is refused without a change here.
 */
import { expect } from 'chai'
import { rules } from '../../lib/functions/index.js'
import { type Action, routes } from '../../lib/http/routes.js'
import { strategies } from '../support/world.js'
import { base, doors, functions, openStage, type Person, type Stage } from './stage.js'

/** The functions that are allowed. Anything else that is listed in the rules is refused. */
const allowedFunctions = ['sessions.watch', 'account.get', 'impersonation.end']

/** The functions beside the groups that are allowed, by their names in the table of effects. */
const allowedCalls = [
  'getSession auth',
  'getCsrfToken csrf.token',
  'csrfField',
  'csrf.field',
  'signOut',
  // It returns the URL of the sign-in page, and does nothing.
  'signIn, no provider',
]

/** The routes that are allowed: they show something, or end a session. */
const allowedRoutes: Readonly<Partial<Record<Action, readonly string[]>>> = {
  providers: ['GET'],
  session: ['GET'],
  csrf: ['GET'],
  jwks: ['GET'],
  error: ['GET'],
  signout: ['GET', 'POST'],
  'backchannel-logout': ['POST'],
  'frontchannel-logout': ['GET'],
}

const ruled = Object.entries(rules).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}`))
const called = Object.keys(functions).filter((name) => !name.includes('.') || name === 'csrf.field')

/** All that is stored, and the sessions, as text. */
async function stateOf({ config, ann, root }: Stage): Promise<string> {
  const { adapter } = config
  const of = async ({ id }: { id: string }) => [
    await adapter?.getUser?.(id),
    await adapter?.listAccountsByUserId?.(id),
    await adapter?.listAuthenticatorsByUserId?.(id),
    (await adapter?.listSessionsByUserId?.(id))?.length,
  ]
  return JSON.stringify([await of(ann), await of(root)])
}

for (const door of Object.keys(doors) as Array<keyof typeof doors>) {
  for (const strategy of strategies) {
    describe(`an impersonated session (${door}, ${strategy} sessions)`, () => {
      let stage: Stage
      let person: Person
      let state: string
      beforeEach(async () => {
        stage = await openStage(door, strategy)
        person = await stage.impersonating()
        state = await stateOf(stage)
      })
      afterEach(() => stage.close())

      /** Asserts that the session continues, and nothing was changed. */
      async function unchanged() {
        expect(await person.me()).to.have.nested.property('act.userId', stage.root.id)
        expect(await stateOf(stage)).to.equal(state)
      }

      for (const name of ruled.filter((each) => !allowedFunctions.includes(each))) {
        it(`AZ-03 may not call ${name}`, async () => {
          const { thrown, status } = await person.own('call', { name })
          expect({ thrown, status }).to.deep.equal({ thrown: 'ImpersonatedSession', status: 403 })
          await unchanged()
        })
      }

      for (const name of called.filter((each) => !allowedCalls.includes(each))) {
        it(`AZ-03 may not call ${name}`, async () => {
          const { thrown, status, answer } = await person.own('call', { name })
          expect({ thrown, status }, answer.text).to.deep.equal({ thrown: 'ImpersonatedSession', status: 403 })
          expect(answer.cookies).to.deep.equal([])
          await unchanged()
        })
      }

      for (const name of [...allowedFunctions, ...allowedCalls]) {
        it(`may call ${name}`, async () => {
          expect((await person.own('call', { name })).thrown).to.equal(undefined)
        })
      }

      for (const { action, methods, takesProvider } of routes) {
        for (const method of methods.filter((each) => !allowedRoutes[action]?.includes(each))) {
          const path = `${base}/${action}${takesProvider ? '/credentials' : ''}`
          it(`AZ-03 may not use ${method} ${path}`, async () => {
            const question = method === 'GET' ? {} : { form: { csrfToken: true, username: 'ann', password: 'right' } }
            const answer = await person.ask(path, { method, ...question, headers: { accept: 'application/json' } })
            expect({ status: answer.status, error: answer.body.error }, answer.text).to.deep.equal({
              status: 403,
              error: 'ImpersonatedSession',
            })
            expect(answer.cookies).to.deep.equal([])
            await unchanged()
          })
        }
      }

      it('AZ-03 reports a refused call that could set cookies, as one failure', async () => {
        for (const name of ['factors.enrolTotp', 'sessions.setData', 'organizations.setActive', 'startSession']) {
          stage.events.length = 0
          await person.own('call', { name })
          const failures = stage.events.filter(({ event }) => event === 'failure')
          expect(
            failures.map(({ error }) => (error as Error).name),
            name,
          ).to.deep.equal(['ImpersonatedSession'])
        }
      })

      it('may use the routes that show something', async () => {
        for (const [action, methods] of Object.entries(allowedRoutes)) {
          if (!methods.includes('GET') || action.endsWith('logout')) continue
          const { status, body } = await person.ask(`${base}/${action}`, { headers: { accept: 'application/json' } })
          expect([status < 400 || action === 'error' || action === 'jwks', body.error], action).to.deep.equal([
            true,
            body.error === 'Configuration' ? body.error : undefined,
          ])
        }
        await unchanged()
      })

      it('AZ-03 shows a page in a browser, which says why', async () => {
        const page = await person.ask(`${base}/signin`, { headers: { accept: 'text/html' } })
        expect(page.status).to.equal(403)
        expect(page.text).to.include('the session of another user')
        const posted = await person.ask(`${base}/signin/mail`, { form: { csrfToken: true, email: 'eve@example.com' } })
        expect(posted.headers.location).to.include('error=ImpersonatedSession')
      })
    })
  }
}

describe('the rules of functions and routes', () => {
  it('AZ-03 allow only what this file lists', () => {
    const allowed = Object.entries(rules).flatMap(([group, of]) =>
      Object.entries(of)
        .filter(([, rule]) => 'impersonated' in rule)
        .map(([name]) => `${group}.${name}`),
    )
    expect(allowed).to.deep.equal(allowedFunctions)
  })

  it('list each function', () => {
    for (const name of [...ruled, ...allowedFunctions, ...allowedCalls]) expect(functions).to.have.property(name)
  })
})
