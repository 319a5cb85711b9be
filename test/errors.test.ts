import { inspect } from 'node:util'
import { expect } from 'chai'
import express from 'express'
import request from 'supertest'
import * as errors from '../lib/errors.js'

const { AdapterError, AuthError, CredentialsSignin, InvalidRequest, NotConnected, SignInError } = errors

/** Class → type, where the name of the class is not that of its type. */
const classNames: Record<string, string> = { MissingSecret: 'MissingSecretError' }

/** The types by kind. */
const catalogue: Record<'error' | 'signIn', string[]> = {
  error: [
    'AccessDenied',
    'AdapterError',
    'AuthError',
    'CallbackRouteError',
    'DuplicateConditionalUI',
    'ErrorPageLoop',
    'EventError',
    'ExperimentalFeatureNotEnabled',
    'InvalidCheck',
    'InvalidEndpoints',
    'InvalidProvider',
    'JWTSessionError',
    'MissingAdapter',
    'MissingAdapterMethods',
    'MissingAuthorize',
    'MissingSecret',
    'MissingWebAuthnAutocomplete',
    'OAuthProfileParseError',
    'SessionTokenError',
    'SignOutError',
    'UnsupportedStrategy',
    'UntrustedHost',
    'Verification',
    'WebAuthnVerificationError',
  ],
  signIn: [
    'AccountNotLinked',
    'CredentialsSignin',
    'EmailSignInError',
    'MissingCSRF',
    'OAuthAccountNotLinked',
    'OAuthCallbackError',
    'OAuthSignInError',
    'SignInError',
  ],
}

/** The types that our errors add to the catalogue. `MethodNotAllowed` is an `InvalidRequest` with a list of methods. */
const ownTypes = [
  'AccountMismatch',
  'CaptchaRequired',
  'CaptchaUnavailable',
  'ConsentRequired',
  'NotConnected',
  'InvalidCode',
  'PasswordRejected',
  'PasswordsBusy',
  'ReauthenticationRequired',
  'RefreshError',
  'SecondFactorFailed',
  'ImpersonatedSession',
  'InvalidConfiguration',
  'InvalidRequest',
  'SessionTooLarge',
  'TooManyCookies',
  'TooManyRequests',
  'TenantUnavailable',
  'UnknownTenant',
]

type ErrorClass = new (message?: never, options?: never) => InstanceType<typeof AuthError>

const classes = Object.entries(errors).filter(
  (entry): entry is [string, ErrorClass & typeof AuthError] =>
    typeof entry[1] === 'function' && (entry[1] === AuthError || entry[1].prototype instanceof AuthError),
)

describe('server-auth/errors', () => {
  it('has exactly the classes of the catalogue, and ours', () => {
    const expected = [...catalogue.error, ...catalogue.signIn, ...ownTypes].map((type) => classNames[type] ?? type)
    expect(classes.map(([name]) => name).sort()).to.deep.equal([...expected, 'MethodNotAllowed'].sort())
  })

  for (const [name, Class] of classes) {
    it(`${name}: type and kind, static and of the object, name and instanceof`, () => {
      const error = name === 'MethodNotAllowed' ? new errors.MethodNotAllowed(['GET']) : new Class()
      const type =
        name === 'MethodNotAllowed' ? 'InvalidRequest' : name === 'MissingSecretError' ? 'MissingSecret' : name
      const kind = [...catalogue.signIn, 'CaptchaRequired', 'SecondFactorFailed'].includes(type) ? 'signIn' : 'error'
      expect(error).to.include({ name, type, kind })
      expect(Class).to.include({ type, kind })
      expect(error).to.be.instanceOf(AuthError).and.instanceOf(Error).and.instanceOf(Class)
      expect(error instanceof SignInError).to.equal(kind === 'signIn')
      expect(error.stack).to.include(name)
    })
  }

  it('has each class in its list, by its type', () => {
    const bases: string[] = ['AuthError', 'SignInError']
    for (const [name, Class] of classes) {
      if (bases.includes(name)) continue
      expect([Class, Object.getPrototypeOf(Class)], name).to.include(errors.errorClasses.get(Class.type))
    }
  })

  it('answers with the own message of an error only if it discloses nothing about the server', () => {
    const own = [...errors.errorClasses].filter(([, { shown }]) => shown?.ownMessage)
    expect(own.map(([type]) => type)).to.deep.equal([
      'InvalidRequest',
      'TenantUnavailable',
      'TooManyRequests',
      'UnknownTenant',
    ])
  })

  /** Returns the types whose class has a value. */
  const typesWith = (key: 'retry' | 'routine' | 'inPlace', value: unknown) =>
    [...errors.errorClasses].flatMap(([type, each]) => (each[key] === value ? [type] : []))

  it('has for each class how the user can try again', () => {
    expect(typesWith('retry', 'form')).to.deep.equal([
      'CaptchaRequired',
      'CredentialsSignin',
      'EmailSignInError',
      'PasswordRejected',
    ])
    expect(typesWith('retry', 'code')).to.deep.equal(['InvalidCode'])
    expect(typesWith('retry', 'token')).to.deep.equal(['MissingCSRF'])
    const outages = [...errors.errorClasses].flatMap(([type, { status }]) => (status === 503 ? [type] : []))
    expect(typesWith('retry', 'later').sort()).to.deep.equal([...outages, 'TooManyRequests'].sort())
  })

  it('has for each class whether it is logged, and where it is answered', () => {
    expect(typesWith('routine', 'refusal')).to.deep.equal([
      'CaptchaRequired',
      'CredentialsSignin',
      'InvalidCode',
      'PasswordRejected',
      'TooManyRequests',
    ])
    expect(typesWith('routine', 'wrongAddress')).to.deep.equal([
      'InvalidProvider',
      'InvalidRequest',
      'TenantUnavailable',
      'UnknownTenant',
    ])
    expect(typesWith('inPlace', true)).to.deep.equal([
      'InvalidProvider',
      'InvalidRequest',
      'TenantUnavailable',
      'TooManyRequests',
      'UnknownTenant',
      'UntrustedHost',
    ])
  })

  it('has the fields of an answer beside the status and the type', () => {
    class Locked extends CredentialsSignin {
      override code = 'locked'
    }
    expect(new AuthError().headers()).to.equal(undefined)
    expect(new AuthError().facts()).to.deep.equal({})
    expect(new errors.MethodNotAllowed(['GET', 'POST']).headers()).to.deep.equal({ allow: 'GET, POST' })
    expect(new errors.TooManyRequests(1.2).headers()).to.deep.equal({ 'retry-after': '2' })
    expect(new errors.PasswordsBusy().headers()).to.deep.equal({ 'retry-after': '5' })
    expect(new Locked().facts()).to.deep.equal({ code: 'locked' })
    expect(new errors.PasswordRejected('short').facts()).to.deep.equal({ code: 'short' })
    expect(new errors.CaptchaRequired('', 'key').facts()).to.deep.equal({ siteKey: 'key' })
    expect(new errors.MethodNotAllowed(['GET']).responseStatus()).to.equal(405)
    expect(new CredentialsSignin().responseStatus()).to.equal(undefined)
  })

  it('names to clients only errors that disclose nothing about the server', () => {
    const shown = [...errors.errorClasses].filter(([, { shown }]) => shown)
    expect(shown.map(([type]) => type).sort()).to.deep.equal([
      'AccessDenied',
      'AccountMismatch',
      'AccountNotLinked',
      'CaptchaRequired',
      'CaptchaUnavailable',
      'ConsentRequired',
      'CredentialsSignin',
      'EmailSignInError',
      'ImpersonatedSession',
      'InvalidCheck',
      'InvalidCode',
      'InvalidProvider',
      'InvalidRequest',
      'MissingCSRF',
      'NotConnected',
      'OAuthAccountNotLinked',
      'OAuthCallbackError',
      'OAuthSignInError',
      'PasswordRejected',
      'PasswordsBusy',
      'ReauthenticationRequired',
      'RefreshError',
      'SecondFactorFailed',
      'SignOutError',
      'TenantUnavailable',
      'TooManyCookies',
      'TooManyRequests',
      'UnknownTenant',
      'Verification',
      'WebAuthnVerificationError',
    ])
  })
})

describe('new AuthError(message, options)', () => {
  const original = new TypeError('the original')

  it('keeps a message, and has no cause without one', () => {
    const error = new AuthError('what happened')
    expect(error.message).to.equal('what happened')
    expect(error).to.not.have.property('cause')
    expect(inspect(error)).to.not.include('cause')
  })

  it('keeps an original error as cause.err, from either place', () => {
    expect(new AuthError('what happened', original).cause).to.deep.equal({ err: original })
    const wrapped = new AuthError(original)
    expect(wrapped.message).to.equal('the original')
    expect(wrapped.cause).to.deep.equal({ err: original })
  })

  it('keeps details beside it', () => {
    expect(new AuthError(original, { provider: 'x' }).cause).to.deep.equal({ provider: 'x', err: original })
    expect(new AuthError('m', { err: original, provider: 'x' }).cause).to.deep.equal({ provider: 'x', err: original })
    const bare = new AuthError({ provider: 'x' })
    expect([bare.message, bare.cause]).to.deep.equal(['', { provider: 'x' }])
  })

  it('prints with its type and the original, for loggers', () => {
    const text = inspect(new errors.CallbackRouteError('what happened', original))
    expect(text).to.include('CallbackRouteError').and.include('what happened').and.include('TypeError: the original')
  })

  it('gives subclasses of applications their name, and keeps the type', () => {
    class TooManyAttempts extends CredentialsSignin {
      override code = 'too_many_attempts'
    }
    const error = new TooManyAttempts()
    expect(error).to.include({ name: 'TooManyAttempts', type: 'CredentialsSignin', kind: 'signIn' })
    expect(error.code).to.equal('too_many_attempts')
    expect(error).to.be.instanceOf(CredentialsSignin)
  })
})

describe('the status of an error', () => {
  it('is that of its class, for error handlers', () => {
    expect(new AuthError('x').status).to.equal(500)
    expect(new AdapterError('x').status).to.equal(503)
    expect(new NotConnected('github', 'account').status).to.equal(403)
    expect(new InvalidRequest('x', 413).status).to.equal(413)
    expect(Object.keys(new AdapterError('x'))).to.not.include('status')
  })

  it('is the status that Express answers with if no other handler does', async () => {
    const app = express()
    app.get('/', () => {
      throw new NotConnected('github', 'account')
    })
    app.set('env', 'test')
    await request(app).get('/').expect(403)
  })
})

describe('CredentialsSignin', () => {
  it('has the code `credentials` unless another is given', () => {
    const error = new CredentialsSignin()
    expect(error.code).to.equal('credentials')
    error.code = 'locked'
    expect(error.code).to.equal('locked')
  })
})

describe('InvalidRequest and MethodNotAllowed', () => {
  it('carry the status of the answer, and the methods', () => {
    expect(new errors.InvalidRequest('m').status).to.equal(400)
    expect(new errors.InvalidRequest('m', 413).status).to.equal(413)
    const error = new errors.MethodNotAllowed(['GET', 'POST'])
    expect(error).to.include({ status: 405, message: 'This URL allows GET and POST only.' })
    expect(error.allow).to.deep.equal(['GET', 'POST'])
  })
})

describe('NotConnected and ConsentRequired', () => {
  it('explain the reason, and the remedy', () => {
    expect(new errors.NotConnected('x', 'session').message).to.include(
      'No tokens of "x" (session): there is no signed-in user',
    )
    expect(new errors.NotConnected('x', 'several').message).to.include('by `providerAccountId`')
    const { message } = new errors.ConsentRequired('x', 'expired')
    expect(message).to.include('(expired)').and.include('no refresh token').and.include('connectUrl()')
  })
})

describe('toError(thrown)', () => {
  it('is the error itself, or one that names the kind of the thrown value, without its content', () => {
    const error = new Error('e')
    expect(errors.toError(error)).to.equal(error)
    for (const thrown of [undefined, null, 'a secret text', 5, { secret: 1 }]) {
      expect(errors.toError(thrown)).to.be.instanceOf(Error)
      expect(errors.toError(thrown).message)
        .to.include(typeof thrown)
        .and.not.include('secret')
    }
  })
})
