/** The example for Fetch hosts, started as its README says, and used over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { fieldIn } from '../factors/stage.js'
import { Browser } from '../support/http-browser.js'

const folder = fileURLToPath(new URL('../../examples/hono-app/', import.meta.url))

describe('examples/hono-app', function () {
  this.timeout(60_000)
  let server: ChildProcess
  let visitor: Browser
  let origin: string

  before(async () => {
    const { AUTH_URL: _site, AUTH_SECRET: _secret, ...env } = process.env
    const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url))
    server = spawn(process.execPath, [tsx, 'server.ts'], {
      cwd: folder,
      env: { ...env, PORT: '0', NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    origin = await firstUrl(server)
  })

  after(() => server.kill())

  beforeEach(() => {
    visitor = new Browser(origin, { base: '/api/auth' })
  })

  const signIn = (password: string, redirectTo = '/private/notes') =>
    submit('/login', '/login', { username: 'ada', password, redirectTo })

  /** Sends a form of a page, with the token that the page contains. */
  async function submit(page: string, path: string, fields: object) {
    const csrfToken = fieldIn((await visitor.ask(page)).text, 'csrfToken')
    return visitor.ask(path, { form: { csrfToken, ...fields } })
  }

  it('guards its pages', async () => {
    const answer = await visitor.ask('/private/notes', { headers: { accept: 'text/html' } })
    expect(answer.status).to.equal(302)
    expect(answer.headers.location).to.match(/\/login\?callbackUrl=%2Fprivate%2Fnotes$/)
    expect((await visitor.ask('/login?callbackUrl=/private/notes')).text).to.include('value="/private/notes"')
  })

  it('signs in, shows who one is, and signs out', async () => {
    const signedIn = await signIn('lovelace')
    expect([signedIn.status, signedIn.headers.location]).to.deep.equal([303, `${origin}/private/notes`])
    expect((await visitor.ask('/private/notes')).text).to.include('Nobody sees this')
    expect((await visitor.ask('/')).text).to.include('You are ada.')
    expect((await visitor.ask('/api/auth/session')).text).to.include('"name":"ada"')
    expect((await visitor.ask('/logout', { form: {} })).status, 'without a token').to.equal(403)
    const signedOut = await submit('/', '/logout', {})
    expect([signedOut.status, signedOut.headers.location]).to.deep.equal([303, `${origin}/`])
    expect((await visitor.ask('/')).text).to.include('href="/login"')
    expect((await visitor.ask('/private/notes')).status).to.equal(401)
  })

  it('says that a password is wrong', async () => {
    const answer = await signIn('wrong')
    expect([answer.status, answer.headers.location]).to.deep.equal([303, '/login?error=1'])
    expect((await visitor.ask('/login?error=1')).text).to.include('do not go together')
    expect((await visitor.ask('/api/auth/session')).text).to.equal('null')
  })

  it('takes no form of another site', async () => {
    const form = { username: 'ada', password: 'lovelace' }
    const answer = await visitor.ask('/login', { form, headers: { origin: 'https://evil.test' } })
    expect(answer.status).to.equal(403)
    expect(answer.cookies).to.deep.equal([])
  })
})

/** The URL that the process prints when it listens; what it says besides, where it ends before. */
async function firstUrl(server: ChildProcess): Promise<string> {
  const { stdout, stderr } = server
  if (!stdout || !stderr) throw new Error('the output of the example is not piped')
  const said: string[] = []
  stderr.on('data', (chunk) => said.push(String(chunk)))
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('http://')) return line.replace('localhost', '127.0.0.1')
    said.push(line)
  }
  throw new Error(`the example did not start: ${said.join('\n')}`)
}
