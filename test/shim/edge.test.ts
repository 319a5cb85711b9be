/** The shim on an edge runtime: a real one of Vercel's kind, with nothing of Node in it or as Next.js runs it. */
import { fileURLToPath } from 'node:url'
import { EdgeVM } from '@edge-runtime/vm'
import { expect } from 'chai'
import { build, type Plugin } from 'esbuild'
import { rules } from '../../lib/functions/index.js'
import { encode } from '../../lib/jwt.js'
import { secret } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cookieName = '__Secure-auth.session-token'
const url = 'https://app.example/members'

/**
 * The parts of an application for the edge. Any import of Node except this one, which such runtimes have, fails the
 * build.
 */
const program = `
import initAuth from './shim/edge.ts'
import { getToken } from './lib/jwt.ts'
import Credentials from './lib/providers/credentials.ts'
import { memoryAdapter } from './lib/adapters/memory/no-node.ts'

const providers = [Credentials({ credentials: {}, authorize: () => null })]
const base = { secret: ${JSON.stringify(secret)}, providers, trustHost: true }
globalThis.edge = {
  async read(options, cookie, path = '') {
    const { auth } = initAuth({ ...base, ...options })
    const request = new Request('${url}' + path, { headers: cookie ? { cookie } : {} })
    const response = await auth((req) => Response.json(req.auth))(request)
    return { status: response.status, location: response.headers.get('location'), body: await response.text(), set: response.headers.getSetCookie() }
  },
  token: (cookie) => getToken({ req: new Request('${url}', { headers: { cookie } }), secret: base.secret, secureCookie: true }),
  call: (what, options) => {
    const result = initAuth({ ...base, ...options })
    if (what === 'handlers') return result.handlers.GET(new Request('${url}'))
    const [group, name] = what.split('.')
    // A function that returns at once reports to its listener.
    if (what === 'sessions.watch') return new Promise((_, reject) => result.sessions.watch((_reason, error) => reject(error)))
    const called = name ? result[group][name]() : result[group]()
    return typeof called === 'function' ? called() : called
  },
  authorized: { authorized: ({ auth }) => auth !== null },
  failing: { jwt: () => { throw new Error('down') } },
  adapter: memoryAdapter(),
}
`

const edgeModules: Plugin = {
  name: 'edge-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:async_hooks$/ }, ({ path }) => ({ path, namespace: 'edge' }))
    onLoad({ filter: /.*/, namespace: 'edge' }, () => ({
      // Such runtimes bring it; the machine in this test does not, and nothing here asks for the ambient request.
      contents: 'export class AsyncLocalStorage { run(_store, work) { return work() } getStore() {} }',
    }))
    // An adapter that is never asked: only that there is one counts.
    onResolve({ filter: /no-node\.ts$/ }, ({ path }) => ({ path, namespace: 'stub' }))
    onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
      contents: `const methods = ${JSON.stringify(adapterMethods)}
        export const memoryAdapter = () => Object.fromEntries(methods.map((name) => [name, async () => null]))`,
    }))
  },
}

const adapterMethods = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
]

interface Reading {
  readonly status: number
  readonly location: string | null
  readonly body: string
  readonly set: string[]
}

/** As in the sandbox of Next.js: the functions of Node's `process` are there, and throw. */
const processThatThrows = Object.fromEntries(
  Object.entries(process).flatMap(([name, value]) => {
    const refuse = () => {
      throw new Error(`process.${name} is not supported in the Edge Runtime`)
    }
    return typeof value === 'function' ? [[name, refuse]] : []
  }),
)

const runtimes = {
  'on an edge runtime': {},
  "on an edge runtime that shows Node's functions and throws": { process: { ...processThatThrows, env: {} } },
}

for (const [title, globals] of Object.entries(runtimes))
  describe(title, function () {
    this.timeout(60_000)
    const started: EdgeVM[] = []
    let files: readonly string[] = []
    let cookie = ''

    before(async () => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: program, resolveDir: root, loader: 'ts' },
        bundle: true,
        metafile: true,
        write: false,
        format: 'iife',
        platform: 'neutral',
        mainFields: ['module', 'main'],
        conditions: ['edge-light', 'import'],
        plugins: [edgeModules],
        logLevel: 'silent',
      })
      files = Object.keys(metafile.inputs)
      started.push(
        new EdgeVM({ initialCode: outputFiles[0]?.text ?? '', extend: (context) => Object.assign(context, globals) }),
      )
      const token = await encode({ token: { sub: '7', name: 'Ann' }, secret, salt: cookieName })
      cookie = `${cookieName}=${token}`
    })

    /** Runs an expression in the runtime; what it comes to, through JSON. */
    async function run<T>(expression: string): Promise<T> {
      const [vm] = started
      const script = `(async () => JSON.stringify({ value: await (${expression}) }))().catch((error) => JSON.stringify({ error: error.message }))`
      // An error that is thrown there is an Error of another realm.
      const { value, error } = JSON.parse(String(await vm?.evaluate(script)))
      if (error !== undefined) throw new Error(error)
      return value
    }

    it('has nothing of Node that works', async () => {
      expect(await run('typeof require')).to.equal('undefined')
      const { message } = await rejectionOf(run(`process.getBuiltinModule('node:crypto')`))
      expect(message).to.match('process' in globals ? /not supported/ : /not defined/)
    })

    it('bundles the options of capabilities, and no capability as a whole', () => {
      expect(files).to.include('lib/features/members/option.ts')
      expect(
        files.filter((file) => /^lib\/features\/[^/]+\/(entry|change|calls|action)[^/]*$/.test(file)),
      ).to.deep.equal([])
    })

    it('reads a session that Node sealed', async () => {
      const { status, body } = await run<Reading>(`edge.read({}, ${JSON.stringify(cookie)})`)
      expect(status).to.equal(200)
      expect(JSON.parse(body).user).to.deep.equal({ id: '7', name: 'Ann', email: null, image: null })
    })

    it('extends a session that is due, by a token that Node reads', async () => {
      const { set } = await run<Reading>(`edge.read({ session: { updateAge: 0 } }, ${JSON.stringify(cookie)})`)
      expect(set).to.have.length(1)
      const renewed = set[0]?.split(';')[0] ?? ''
      expect(renewed).not.to.equal(cookie)
      expect(await run(`edge.token(${JSON.stringify(renewed)})`)).to.include({ sub: '7', name: 'Ann' })
    })

    it('is null for a strange cookie, and without one', async () => {
      const strange = await encode({ token: { sub: '7' }, secret: `${secret}, another`, salt: cookieName })
      for (const given of ['', `${cookieName}=${strange}`, `${cookieName}=x.y.z`]) {
        expect((await run<Reading>(`edge.read({}, ${JSON.stringify(given)})`)).body).to.equal('null')
      }
    })

    it('guards: `authorized` decides, and an error allows no request', async () => {
      const guarded = `{ callbacks: edge.authorized }`
      const refused = await run<Reading>(`edge.read(${guarded}, '', '?page=2')`)
      expect(refused.status).to.equal(302)
      expect(refused.location).to.equal(
        `https://app.example/api/auth/signin?callbackUrl=${encodeURIComponent(`${url}?page=2`)}`,
      )
      expect((await run<Reading>(`edge.read(${guarded}, ${JSON.stringify(cookie)})`)).status).to.equal(200)
      const error = await rejectionOf(run(`edge.read({ callbacks: edge.failing }, ${JSON.stringify(cookie)})`))
      expect(error.message).to.equal('down')
    })

    it('has getToken', async () => {
      expect(await run(`edge.token(${JSON.stringify(cookie)})`)).to.include({ sub: '7', name: 'Ann' })
      expect(await run(`edge.token('${cookieName}=strange')`)).to.equal(null)
    })

    const grouped = Object.entries(rules).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}`))
    for (const what of ['handlers', 'signIn', 'signOut', 'unstable_update', 'startSession', ...grouped]) {
      it(`says that ${what} needs Node`, async () => {
        const error = await rejectionOf(run(`edge.call('${what}', {})`))
        expect(error.message).to.include(what).and.include('needs Node.js')
      })
    }

    it('refuses `session.revocation`: it would let pass what has ended', async () => {
      const store = '{ log: { add() {}, replace() {}, find() {} } }'
      const error = await rejectionOf(
        run(`edge.read({ session: { revocation: ${store} } }, ${JSON.stringify(cookie)})`),
      )
      expect(error.message).to.include('does not know which sessions have ended')
    })

    it('says that database sessions need Node', async () => {
      const error = await rejectionOf(run(`edge.read({ adapter: edge.adapter }, ${JSON.stringify(cookie)})`))
      expect(error.message).to.include('JWT sessions only').and.include('proxy.ts')
    })
  })
