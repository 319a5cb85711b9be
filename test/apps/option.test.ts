/** The option `apps`: what is rejected at construction, and how the message says what to change. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import { complete, createLog } from '../support/app.js'
import { configOf } from './stage.js'

const build = (apps: unknown, config: Partial<ServerAuthConfig> = {}) => {
  const { session, ...own } = configOf('jwt')
  defineAuth(complete({ ...own, session, apps: apps as never, ...config }, createLog()))
}

const app = (change: object) => ({ clients: { cli: { name: 'CLI', loopback: true, ...change } } })

describe('the option `apps`', () => {
  const invalid: Readonly<Record<string, [apps: unknown, message: RegExp]>> = {
    'a text': ['cli', /`apps` must be an object/],
    'no app': [{ clients: {} }, /`apps\.clients` must list the apps by id/],
    'no list': [{}, /`apps\.clients` must list/],
    'an unknown option': [{ ...app({}), links: [] }, /links/],
    'an invalid id': [{ clients: { 'My App': { name: 'x', loopback: true } } }, /has an invalid id/],
    'no name': [app({ name: undefined }), /`apps\.clients\.cli\.name` must be the name/],
    'a name on two lines': [app({ name: 'a\nb' }), /name` must be the name/],
    'an app without a redirect URL': [app({ loopback: false }), /has no redirect URL/],
    'a custom scheme': [app({ links: ['notes:/signed-in'] }), /Custom schemes are not accepted/],
    'a link with http': [app({ links: ['http://app.example.com/x'] }), /must be a list of https URLs/],
    'a link with a query': [app({ links: ['https://app.example.com/x?y'] }), /must be a list of https URLs/],
    'a link with a fragment': [app({ links: ['https://app.example.com/x#'] }), /must be a list of https URLs/],
    'a link that browsers write differently': [app({ links: ['https://APP.example.com'] }), /written as browsers do/],
    'a text as links': [app({ links: 'https://app.example.com/x' }), /must be a list of https URLs/],
    'an invalid store': [{ ...app({}), store: {} }, /`apps\.store` must be true, or a store/],
  }
  for (const [title, [apps, message]] of Object.entries(invalid)) {
    it(`rejects ${title}`, () => expect(() => build(apps)).to.throw(message))
  }

  it('needs an adapter, bearer tokens, and an end for JWT sessions', () => {
    const session = { strategy: 'jwt', bearer: true, revocation: memoryStore() } as const
    expect(() => build(app({}), { adapter: undefined as never, session })).to.throw(/`apps` needs an `adapter`/)
    expect(() => build(app({}), { session: { ...session, bearer: false } })).to.throw(/needs `session\.bearer`/)
    expect(() => build(app({}), { session: { strategy: 'jwt', bearer: true } })).to.throw(/needs `session\.revocation`/)
    expect(() => build(app({}), { session: { strategy: 'database', bearer: true } })).to.not.throw()
    expect(() => build({ ...app({}), store: memoryStore() }, { adapter: memoryAdapter() })).to.not.throw()
  })
})
