/** The guide to apps: its server and its command line, started as it says, with a browser. Needs `npm run build`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { destinationOf, pressContinue } from '../apps/stage.js'
import { Browser } from '../support/http-browser.js'
import { compile, type RunningProgram, remove, start, unpack } from './guide-code.js'

describe('the guide to apps', function () {
  this.timeout(90_000)
  this.slow(20_000)
  const folder = unpack('guides/apps.md')
  const tokenFile = join(folder, 'config/token')
  let app: RunningProgram

  before(async () => {
    app = await start(folder, 'app.ts', { DATABASE_URL: `sqlite:${join(folder, 'app.db')}` })
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  /** Runs the command line. */
  function run(...args: string[]): { child: ChildProcess; output: () => string } {
    const env = { ...process.env, NODE_OPTIONS: '', SITE: app.origin, TOKEN_FILE: tokenFile }
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', ...args], { cwd: folder, env })
    let written = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += chunk))
    return { child, output: () => written }
  }

  async function until(find: () => string | undefined): Promise<string> {
    for (let tries = 0; tries < 1000; tries += 1) {
      const found = find()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('It was not printed.')
  }

  it('compiles', () => compile(folder))

  it('signs in to the command line, which continues without the browser, and signs out', async () => {
    const first = run()
    const url = await until(() => /http:\S+\/auth\/app\?\S+/.exec(first.output())?.[0])
    const browser = new Browser(app.origin)
    const { pathname, search } = new URL(url)
    const signInPage = new URL((await browser.get(pathname + search)).headers.location ?? '')
    await browser.get(signInPage.pathname + signInPage.search)
    const callbackUrl = signInPage.searchParams.get('callbackUrl')
    await browser.ask('/auth/signin/email', { form: { csrfToken: true, email: 'ann@example.com', callbackUrl } })
    const link = await until(() => /http:\S+\/callback\/email\S+/.exec(app.log())?.[0])
    const page = await browser.follow(await browser.get(link))
    expect(page.text).to.include('Notes for the terminal').and.include('ann@example.com')
    const target = destinationOf(await pressContinue(browser, page))
    expect((await fetch(target)).status).to.equal(200)
    await once(first.child, 'exit')
    expect(first.output()).to.include('{"owner":"ann@example.com","notes":["Buy milk."]}')
    const second = run()
    await once(second.child, 'exit')
    expect(second.output().trim()).to.equal('{"owner":"ann@example.com","notes":["Buy milk."]}')
    const third = run('logout')
    await once(third.child, 'exit')
    expect([third.child.exitCode, existsSync(tokenFile)]).to.deep.equal([0, false])
  })
})
