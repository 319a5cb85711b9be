/** The first sign-in of a user: the order of calls, the stored records, the events. */
import { expect } from 'chai'
import type { JwtCallbackParams } from '../../lib/types/config.js'
import type { Account } from '../../lib/types/identity.js'
import { setCookies, target } from '../support/app.js'
import { extensions, type Happening, type LinkingOptions, strategies, useLinking } from './linking-stage.js'

const ann = { sub: 'ann', name: 'Ann', email: 'ann@example.com', picture: 'https://example.com/ann.png' }

describe('the order of a first sign-in', () => {
  const stage = useLinking()

  for (const [what, without] of [
    ['with transactions', []],
    ['without', extensions],
  ] as const) {
    it(`is that of the contract, ${what}`, async () => {
      await stage.start({
        without,
        callbacks: {
          signIn: () => {
            stage.recorder.note('callbacks.signIn')
            return true
          },
        },
      })
      await stage.enter(stage.app.browser(), 'one', ann)
      const order = stage.recorder.names().filter((name) => !/^db\.getSession/.test(name))
      // The user of the account is queried twice, and `getAccount` shows whether the account is exactly that one.
      expect(order.filter((name) => name !== 'db.getAccount')).to.deep.equal([
        'db.getUserByAccount',
        'db.getUserByEmail',
        'callbacks.signIn',
        'db.getUserByAccount',
        'db.getUserByEmail',
        'db.createUser',
        'db.linkAccount',
        'events.createUser',
        'events.linkAccount',
        'db.createSession',
        'events.signIn',
      ])
    })
  }

  it('asks `jwt` with the trigger `signUp`, and afterwards `signIn`', async () => {
    const asked: JwtCallbackParams[] = []
    const jwt = (params: JwtCallbackParams) => {
      if (params.trigger) asked.push(params)
      return params.token
    }
    await stage.start({ strategy: 'jwt', callbacks: { jwt } })
    const id = await stage.enter(stage.app.browser(), 'one', ann)
    await stage.enter(stage.app.browser(), 'one', ann)
    expect(
      asked.map(({ trigger, isNewUser, token, user, account }) => [
        trigger,
        isNewUser,
        token.sub,
        user?.id,
        account?.userId,
      ]),
    ).to.deep.equal([
      ['signUp', true, id, id, id],
      ['signIn', false, id, id, id],
    ])
  })

  it('says `isNewUser` to the event, the first time', async () => {
    await stage.start()
    const id = await stage.enter(stage.app.browser(), 'one', ann)
    await stage.enter(stage.app.browser(), 'one', ann)
    const told = stage.recorder.details('events.signIn') as Array<{ isNewUser: boolean; user: { id: string } }>
    expect(told.map(({ isNewUser, user }) => [isNewUser, user.id])).to.deep.equal([
      [true, id],
      [false, id],
    ])
  })

  it('hands the stored user to the `signIn` callback once there is one', async () => {
    const ids: unknown[] = []
    const signIn: NonNullable<LinkingOptions['callbacks']>['signIn'] = ({ user, profile, account }) => {
      ids.push(user.id)
      expect([profile?.sub, account?.providerAccountId]).to.deep.equal(['ann', 'ann'])
      return true
    }
    await stage.start({ callbacks: { signIn } })
    const id = await stage.enter(stage.app.browser(), 'one', ann)
    await stage.enter(stage.app.browser(), 'one', ann)
    expect(ids[0]).to.not.equal(id)
    expect(ids[1]).to.equal(id)
  })
})

describe('the events of a first sign-in', () => {
  const stage = useLinking()

  it('have the stored user, the account with its owner, and the claims of the provider', async () => {
    await stage.start()
    const id = await stage.enter(stage.app.browser(), 'one', { ...ann, email_verified: true })
    const [created] = stage.recorder.details('events.createUser') as Array<{ user: object }>
    expect(created?.user).to.include({ id, email: 'ann@example.com', name: 'Ann', image: ann.picture })
    const [linked] = stage.recorder.details('events.linkAccount') as Array<{
      user: object
      account: Account
      profile: object
    }>
    expect(Object.keys(linked ?? {})).to.have.members(['user', 'account', 'profile'])
    expect(linked?.user).to.deep.equal(created?.user)
    expect(linked?.account).to.include({
      provider: 'one',
      providerAccountId: 'ann',
      type: 'oidc',
      userId: id,
      token_type: 'bearer',
    })
    expect(linked?.account.access_token).to.be.a('string')
    expect(linked?.profile).to.include({ name: 'Ann', email: 'ann@example.com', image: ann.picture })
  })

  it('that throw change nothing', async () => {
    const fail = () => {
      throw new Error('no')
    }
    await stage.start({ events: { createUser: fail, linkAccount: fail } })
    const browser = stage.app.browser()
    const response = await stage.signIn(browser, 'one', ann)
    expect(target(response)).to.equal(`${stage.app.origin}/welcome`)
    expect(await stage.who(browser)).to.be.a('string')
    expect(stage.faults()).to.deep.equal(['EventError', 'EventError'])
  })

  for (const strategy of strategies) {
    it(`are not emitted if the \`signIn\` callback rejects, and nothing is written (${strategy})`, async () => {
      for (const verdict of [() => false, () => '/waiting-list', () => Promise.reject(new Error('no'))]) {
        await stage.start({ strategy, callbacks: { signIn: verdict } })
        const browser = stage.app.browser()
        const response = await stage.signIn(browser, 'one', ann)
        expect(target(response)).to.match(/error=AccessDenied$|\/waiting-list$/)
        expect(setCookies(response).join()).to.not.include('session-token')
        expect(await stage.who(browser)).to.equal(undefined)
        expect(stage.recorder.writes()).to.deep.equal([])
        expect(stage.recorder.names(/^events/)).to.deep.equal([])
      }
    })
  }
})

describe('pages.newUser', () => {
  const stage = useLinking()

  it('is the page of the first sign-in, with the callback URL', async () => {
    await stage.start({ pages: { newUser: '/hello?step=1' } })
    const first = await stage.signIn(stage.app.browser(), 'one', ann)
    const url = new URL(target(first))
    expect(url.origin + url.pathname).to.equal(`${stage.app.origin}/hello`)
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      step: '1',
      callbackUrl: `${stage.app.origin}/welcome`,
    })
    const second = await stage.signIn(stage.app.browser(), 'one', ann)
    expect(target(second)).to.equal(`${stage.app.origin}/welcome`)
  })

  it('is not shown to a user who links another account', async () => {
    await stage.start({ pages: { newUser: '/hello' } })
    const browser = stage.app.browser()
    await stage.signIn(browser, 'one', ann)
    const linked = await stage.signIn(browser, 'two', { sub: 'ann-at-two' })
    expect(target(linked)).to.equal(`${stage.app.origin}/welcome`)
  })

  it('is shown by an email link too, the first time', async () => {
    await stage.start({ pages: { newUser: '/hello' } })
    const browser = stage.app.browser()
    expect(target(await stage.enterByMail(browser, 'mia@example.com'))).to.include('/hello?callbackUrl=')
    expect(target(await stage.enterByMail(stage.app.browser(), 'mia@example.com'))).to.not.include('/hello')
    expect(stage.recorder.names(/^events/)).to.deep.equal([
      'events.createUser',
      'events.signIn',
      'events.updateUser',
      'events.signIn',
    ])
  })
})

describe('the stored records of a first sign-in', () => {
  const stage = useLinking()
  const argument = (name: string) => stage.recorder.details(name).at(-1) as Record<string, unknown>
  const withTokens = (tokens: object) => {
    stage.provider.onToken = async (body) => {
      const { body: good } = await stage.provider.tokens(body, { sub: 'ann' })
      return { body: { ...(good as object), ...tokens } }
    }
  }

  it('have the standard part of the token set', async () => {
    await stage.start()
    withTokens({
      refresh_token: 'refresh',
      session_state: 'state',
      scope: 'openid',
      not_standard: 'x',
      userId: 'somebody',
      providerAccountId: 'else',
      provider: 'other',
      type: 'email',
    })
    const before = Math.floor(Date.now() / 1000)
    const id = await stage.enter(stage.app.browser(), 'one', { sub: 'ann' })
    const { access_token: access, id_token: idToken, expires_at: expires, ...rest } = argument('db.linkAccount')
    expect(access).to.be.a('string')
    expect(String(idToken).split('.')).to.have.length(3)
    expect(expires).to.be.within(before + 3600, before + 3660)
    expect(rest).to.deep.equal({
      provider: 'one',
      providerAccountId: 'ann',
      type: 'oidc',
      userId: id,
      refresh_token: 'refresh',
      scope: 'openid',
      session_state: 'state',
      token_type: 'bearer',
    })
  })

  it('have no field that the provider did not send', async () => {
    await stage.start()
    withTokens({ refresh_token: undefined, expires_in: undefined, scope: undefined })
    await stage.enter(stage.app.browser(), 'one', { sub: 'ann' })
    expect(Object.keys(argument('db.linkAccount'))).to.have.members([
      'provider',
      'providerAccountId',
      'type',
      'userId',
      'access_token',
      'id_token',
      'token_type',
    ])
  })

  it('have the fields that the provider’s `account` returns, without undefined ones', async () => {
    await stage.start({
      one: {
        account: ({ access_token: access, scope }) => ({
          access_token: `sealed ${access?.slice(0, 6)}`,
          refresh_token: undefined,
          granted: scope,
          // Not for the callback to say.
          userId: 'somebody',
          provider: 'other',
          providerAccountId: 'else',
          type: 'email',
        }),
      },
    })
    withTokens({ refresh_token: 'refresh', scope: 'openid' })
    const id = await stage.enter(stage.app.browser(), 'one', { sub: 'ann' })
    expect(argument('db.linkAccount')).to.deep.equal({
      access_token: 'sealed access',
      granted: 'openid',
      provider: 'one',
      providerAccountId: 'ann',
      type: 'oidc',
      userId: id,
    })
  })

  it('have no token if `account` returns nothing', async () => {
    await stage.start({ one: { account: () => undefined } })
    await stage.enter(stage.app.browser(), 'one', ann)
    expect(Object.keys(argument('db.linkAccount'))).to.have.members(['provider', 'providerAccountId', 'type', 'userId'])
  })

  it('are missing if `account` throws', async () => {
    await stage.start({
      without: extensions,
      one: {
        account: () => {
          throw new Error('no')
        },
      },
    })
    await stage.expectRefused(await stage.signIn(stage.app.browser(), 'one', ann), 'CallbackRouteError')
    expect(stage.recorder.writes()).to.deep.equal([])
  })

  it('have every field that `profile` returns, but the engine sets id and verification', async () => {
    const profile = () => ({
      id: 'ann',
      email: 'Ann@Example.com',
      role: 'admin',
      emailVerified: new Date(0),
      joined: 7,
    })
    await stage.start({ one: { profile } })
    await stage.enter(stage.app.browser(), 'one', ann)
    const { id, ...user } = argument('db.createUser')
    expect(id).to.match(/^[0-9a-f-]{36}$/)
    expect(user).to.deep.equal({ email: 'ann@example.com', role: 'admin', emailVerified: null, joined: 7 })
  })

  for (const email of [undefined, null, '', 7, true, { $gt: '' }, ['ann@example.com']]) {
    it(`have no address if \`profile\` returns ${JSON.stringify(email) ?? 'nothing'} for it`, async () => {
      await stage.start({ one: { profile: ({ sub }) => ({ id: String(sub), email: email as string }) } })
      await stage.have({ email: 'ann@example.com' })
      await stage.enter(stage.app.browser(), 'one', ann)
      expect(argument('db.createUser')).to.have.property('email', null)
      expect(stage.recorder.names()).to.not.include('db.getUserByEmail')
    })
  }

  it('have the id that the adapter gives', async () => {
    await stage.start({ without: extensions })
    const { inner } = stage.recorder
    const create = inner.createUser
    inner.createUser = (user) => create?.({ ...user, id: 'own-id' }) as never
    expect(await stage.enter(stage.app.browser(), 'one', ann)).to.equal('own-id')
    expect(argument('db.linkAccount')).to.have.property('userId', 'own-id')
  })

  it('are in the session immediately', async () => {
    await stage.start({ strategy: 'jwt' })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', ann)
    expect(await browser.session()).to.deep.include({
      user: { name: 'Ann', email: 'ann@example.com', image: ann.picture, id },
    })
    expect(stage.recorder.happenings.map(({ name }: Happening) => name)).to.not.include('db.createSession')
  })
})
