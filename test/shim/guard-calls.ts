/** Each guard of the shim, called without a session, without a token, and without use of its result. */
import type initAuth from '../../shim/index.js'

export type Auth = ReturnType<typeof initAuth>['auth']

/** The provider that {@link guardCalls} name, for `providers`. */
export const guardProvider = {
  id: 'test',
  name: 'Test',
  type: 'oidc',
  issuer: 'https://id.example',
  clientId: 'a',
  clientSecret: 'b',
} as const

/** The calls by name, with the status of their rejection. */
export const guardCalls: Readonly<
  Record<string, { status: number; call: (auth: Auth, request: Request) => Promise<unknown> }>
> = {
  'auth.require()': { status: 401, call: ({ require }, request) => require(request) },
  'auth.requireConnection()': {
    status: 401,
    call: ({ requireConnection }, request) => requireConnection(request, { provider: 'test' }),
  },
  'auth.csrf.verify()': { status: 403, call: ({ csrf }, request) => csrf.verify(request, {}) },
}
