/** The built modules for Fetch servers and Next.js, in a process that can load nothing of Express. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { secret } from '../support/app.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

const forbidden = ['express', 'body-parser', 'cookie-parser', 'qs', 'side-channel', 'router', 'type-is', 'raw-body']

/** Answers GET providers and a sign-in by a form; prints statuses and the session's user. */
const nodeScript = (entry: string) => `
  import initAuth from ${JSON.stringify(new URL(`../../dist/shim/${entry}`, import.meta.url).href)}
  const { handlers, auth } = initAuth(${config})
  const ask = (path, init) => handlers.POST(new Request('http://app.test/api/auth/' + path, init))
  const providers = await ask('providers')
  const csrf = await ask('csrf')
  const { csrfToken } = await csrf.json()
  const cookie = csrf.headers.getSetCookie()[0].split(';')[0]
  const body = new URLSearchParams({ csrfToken, username: 'ann' })
  const signedIn = await ask('callback/test', { method: 'POST', headers: { cookie }, body })
  const session = signedIn.headers.getSetCookie().find((line) => line.includes('session-token')).split(';')[0]
  const guarded = auth((request) => Response.json(request.auth.user.name))
  const name = await guarded(new Request('http://app.test/', { headers: { cookie: session } }))
  console.log(JSON.stringify([providers.status, signedIn.status, await name.json()]))
`

/** Returns a script that reads sessions with the entry for edge runtimes. */
const edgeScript = (entry: string) => `
  import initAuth from ${JSON.stringify(new URL(`../../dist/shim/${entry}`, import.meta.url).href)}
  const { auth } = initAuth(${config})
  const guarded = auth((request) => Response.json(request.auth))
  const answer = await guarded(new Request('http://app.test/'))
  console.log(JSON.stringify([answer.status, await answer.json()]))
`

const config = `{
  secret: ${JSON.stringify(secret)},
  providers: [{ id: 'test', name: 'Test', type: 'credentials', credentials: { username: {} }, authorize: ({ username }) => ({ id: "1", name: username }) }],
}`

const table: ReadonlyArray<[entry: string, script: (entry: string) => string, printed: unknown]> = [
  ['index.js', nodeScript, [200, 303, 'ann']],
  ['hosts/next.js', nodeScript, [200, 303, 'ann']],
  ['edge.js', edgeScript, [200, null]],
  ['hosts/next-edge.js', edgeScript, [200, null]],
]

describe('without Express', function () {
  this.timeout(30_000)
  this.slow(5_000)

  before(() => {
    if (!existsSync(`${root}dist/shim/index.js`)) throw new Error('run "npm run build" first')
  })

  async function run(script: string): Promise<unknown> {
    const args = ['--import', './test/support/forbid-packages.mjs', '--input-type=module', '--eval', script]
    const env = { ...process.env, FORBIDDEN: forbidden.join(), NODE_ENV: 'test' }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
    return JSON.parse(stdout)
  }

  for (const [entry, script, printed] of table) {
    it(`dist/shim/${entry} answers`, async () => {
      expect(await run(script(entry))).to.deep.equal(printed)
    })
  }

  it('the Router does not load: the check above can fail', async () => {
    const failure = run(`import ${JSON.stringify(new URL('../../dist/lib/index.js', import.meta.url).href)}`)
    const message = await failure.catch((error: { stderr?: string }) => error.stderr)
    expect(message).to.match(/forbidden: (?:cookie-parser|express), by /)
  })
})
