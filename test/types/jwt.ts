/** Type tests: the JWT module, its generics, and interfaces that an application extends. Compiled, never run. */
import type { Request as ExpressRequest } from 'express'
import { defineAuth, type DefaultJWT as FromIndex } from '../../lib/index.js'
import {
  type DefaultJWT,
  decode,
  encode,
  type GetTokenParams,
  getToken,
  type JWT,
  type JWTDecodeParams,
  type JWTEncodeParams,
  type JWTOptions,
} from '../../lib/jwt.js'
import type { Awaitable } from '../../lib/types/identity.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

// Module augmentation, as `declare module 'server-auth'` and `'server-auth/jwt'` do it in an application. The names are
// the test's own: all type tests are compiled together.
declare module '../../lib/index.js' {
  interface Session {
    augmentedByTest?: { readonly level: 3 }
  }
  interface User {
    augmentedUserByTest?: number
  }
}
declare module '../../lib/jwt.js' {
  interface JWT {
    augmentedTokenByTest?: 'yes'
  }
}

declare const req: ExpressRequest

export async function augmentation(): Promise<void> {
  const auth = defineAuth({
    providers: [],
    callbacks: {
      jwt({ token, user }) {
        assertType<Equal<typeof token.augmentedTokenByTest, 'yes' | undefined>>()
        if (user) assertType<Equal<typeof user.augmentedUserByTest, number | undefined>>()
        return { ...token, augmentedTokenByTest: 'yes' }
      },
    },
  })
  // @ts-expect-error: the token was declared otherwise
  defineAuth({ providers: [], callbacks: { jwt: ({ token }) => ({ ...token, augmentedTokenByTest: 'no' }) } })
  const session = await auth.getSession(req)
  assertType<Equal<NonNullable<typeof session>['augmentedByTest'], { readonly level: 3 } | undefined>>()
  const token = await getToken({ req })
  assertType<Equal<NonNullable<typeof token>['augmentedTokenByTest'], 'yes' | undefined>>()
}

export function claims(): void {
  assertType<Equal<DefaultJWT['email'] | DefaultJWT['name'] | DefaultJWT['picture'], string | null | undefined>>()
  assertType<Equal<DefaultJWT['sub'] | DefaultJWT['jti'], string | undefined>>()
  assertType<Equal<DefaultJWT['exp'] | DefaultJWT['iat'], number | undefined>>()
  assertType<Equal<DefaultJWT['sid'], string | undefined>>()
  assertType<Equal<DefaultJWT['auth_time'], number | undefined>>()
  assertType<Equal<DefaultJWT['auth_owner'], { id: string; type: string } | undefined>>()
  assertType<Equal<FromIndex, DefaultJWT>>()
  // A record: any further claim is unknown.
  assertType<JWT extends Record<string, unknown> & DefaultJWT ? true : false>()
  assertType<Equal<JWT['of_the_application'], unknown>>()
}

export function options(): void {
  assertType<Equal<JWTOptions['maxAge'], number>>()
  assertType<Equal<ReturnType<JWTOptions['encode']>, Awaitable<string>>>()
  assertType<Equal<ReturnType<JWTOptions['decode']>, Awaitable<JWT | null>>>()
  assertType<Equal<Parameters<JWTOptions['encode']>, [params: JWTEncodeParams]>>()
  assertType<Equal<Parameters<JWTOptions['decode']>, [params: JWTDecodeParams]>>()
}

export async function encoding(): Promise<void> {
  assertType<Equal<keyof JWTEncodeParams, 'token' | 'secret' | 'salt' | 'maxAge'>>()
  assertType<Equal<JWTEncodeParams['token'], JWT | undefined>>()
  assertType<Equal<JWTEncodeParams<{ team: string }>['token'], { team: string } | undefined>>()
  assertType<Equal<JWTEncodeParams['secret'] | JWTDecodeParams['secret'], string | string[]>>()
  assertType<Equal<JWTEncodeParams['salt'] | JWTDecodeParams['salt'], string>>()
  assertType<Equal<JWTEncodeParams['maxAge'], number | undefined>>()
  assertType<Equal<keyof JWTDecodeParams, 'token' | 'secret' | 'salt'>>()
  const text = await encode<{ team: string }>({ token: { team: 'blue' }, secret: 's', salt: 's' })
  assertType<Equal<typeof text, string>>()
  const payload = await decode({ token: text, secret: 's', salt: 's' })
  assertType<Equal<typeof payload, JWT | null>>()
  // @ts-expect-error: the payload is of another kind
  await encode<{ team: string }>({ token: { team: 5 }, secret: 's', salt: 's' })
  // @ts-expect-error: salt is missing
  await encode({ secret: 's' })
}

export async function reading(): Promise<void> {
  type Names = 'req' | 'secret' | 'salt' | 'cookieName' | 'raw' | 'secureCookie' | 'decode' | 'logger'
  assertType<Equal<keyof GetTokenParams, Names>>()
  assertType<Equal<Awaited<ReturnType<typeof payload>>, JWT | null>>()
  assertType<Equal<Awaited<ReturnType<typeof raw>>, string | null>>()
  assertType<Equal<Awaited<ReturnType<typeof either>>, JWT | string | null>>()
  await getToken({ req: new Request('https://app.test'), decode: () => null, logger: console })
  await getToken({ req: { headers: { cookie: 'a=b' } } })
  await getToken({ req: { headers: new Headers() } })
  // @ts-expect-error: a request is needed
  await getToken({ secret: 's' })
}

const payload = () => getToken({ req, secret: ['new', 'old'], salt: 's', cookieName: 'c', secureCookie: true })
const raw = () => getToken({ req, raw: true })
/** `raw` by a variable: either kind. */
export const either = (raw: boolean) => getToken({ req, raw })
