/**
 * Type tests: guards in front of Express handlers. Compiled by `npm run typecheck`, and by `test/compilers.test.ts` with
 * other versions of TypeScript and `@types/express`. Never run.
 */
import express, {
  type Express,
  type Handler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import { defineAuth, type GuardedSession, requireSession, type SessionGuard, type SessionOf } from '../../lib/index.js'
import Google from '../../lib/providers/google.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type IsAny<T> = 0 extends 1 & T ? true : false
/** True if a value of type `A` can be used as `B`, and is not `any`: applications may declare `Express.Locals`, too. */
type Is<A, B> = IsAny<A> extends true ? false : A extends B ? true : false
function assertType<T extends true>(_proof?: T): void {}

declare const app: Express
declare const router: Router
declare const plain: RequestHandler
declare const show: (req: Request, res: Response) => void

const auth = defineAuth({
  providers: [Google],
  tokens: { store: 'cookie' },
  callbacks: { session: ({ session }) => ({ ...session, role: 'admin' as 'admin' | 'reader' }) },
})
type S = SessionOf<typeof auth.config>
type Id = { id: string }

const guard = auth.requireSession()
const connected = auth.tokens.requireConnection({ provider: 'google' })

/** Checks that a guard is a handler wherever Express accepts one. */
export function asHandler(): RequestHandler {
  app.use(guard)
  app.use('/admin', guard, router)
  app.use('/admin', guard, connected, plain, router)
  app.use([guard, plain])
  router.use(guard)
  router.use('/admin', guard, router)
  const list: RequestHandler[] = [guard, connected, plain]
  app.get('/users/:id', list, show)
  app.get('/users/:id', [guard, connected], show)
  app.get('/users/:id', guard, plain)
  router.route('/users/:id').all(guard).get(guard, show)
  const any: Handler = guard
  app.use(any)
  return (req, res, next) => guard(req, res, next)
}

/** Checks that a guard leaves the parameters of the route alone, and types the session. */
export function inferred(): void {
  app.get('/users/:id', guard, (req, res) => {
    assertType<Equal<typeof req.params, Id>>()
    assertType<Is<typeof res.locals.session, S>>()
    assertType<Is<typeof res.locals.session.role, 'admin' | 'reader'>>()
    // The guard requires a user.
    res.send(res.locals.session.user.name)
    // @ts-expect-error: the route has no such parameter
    req.params.name
    // @ts-expect-error: the callback returns no such field
    res.locals.session.team
  })
  app.get('/users/:id', connected, async (req, res) => {
    assertType<Equal<typeof req.params, Id>>()
    assertType<Is<typeof res.locals.session, GuardedSession<S>>>()
    res.json({ id: req.params.id, name: res.locals.session.user.name })
  })
  app.get('/users/:id', guard, connected, guard, (req, res) => {
    assertType<Equal<typeof req.params, Id>>()
    assertType<Is<typeof res.locals.session, S>>()
  })
  const list = [guard, connected]
  app.post('/users/:id', ...list, (req, res) => {
    assertType<Equal<typeof req.params, Id>>()
    assertType<Is<typeof res.locals.session, S>>()
  })
  router.put('/users/:id', guard, express.json(), (_req, res) => assertType<Is<typeof res.locals.session, S>>())
  router.use('/users', guard, (_req, res, next) => {
    assertType<Is<typeof res.locals.session, S>>()
    next()
  })
  router.route('/users/:id').get(guard, (req) => assertType<Equal<typeof req.params, Id>>())
  app.get(/^\/users/, guard, (_req, res) => assertType<Is<typeof res.locals.session, S>>())
  app.all(['/a', '/b'], guard, (_req, res) => assertType<Is<typeof res.locals.session, S>>())
}

/** Checks that handlers with types of their own follow a guard. */
export function declared(): void {
  const renamed: RequestHandler<Id, { done: boolean }, { name: string }, { notify?: string }> = (req, res) => {
    res.json({ done: req.body.name !== '' })
  }
  app.post('/users/:id', guard, renamed)
  app.get('/users/:id', guard, (req: Request<Id>, res) => {
    assertType<Is<typeof res.locals.session, S>>()
    res.send(req.params.id)
  })
  app.get('/users/:id', guard, (_req, res: Response<{ done: boolean }>) => void res.json({ done: true }))
  app.get('/users/:id', guard, (req: Request<Id>, res: Response<unknown, { session: GuardedSession<S> }>) => {
    res.send(`${req.params.id} ${res.locals.session.role}`)
  })
  app.get<Id, { done: boolean }>('/users/:id', guard, (_req, res) => void res.json({ done: true }))
}

/** Checks that `allow` gets the session of the configuration, with its user. */
export function allowed(): SessionGuard<S> {
  requireSession(auth.config, { allow: ({ role }) => role === 'admin' })
  // @ts-expect-error: the callback returns no such field
  requireSession(auth.config, { allow: ({ team }) => team === 'blue' })
  return auth.requireSession({ allow: ({ user, role }) => user.email === 'ann@example.com' && role === 'admin' })
}
