/**
 * The application of `docs/start/nextjs.md`, made by today's `create-next-app` with the newest Next.js from npm: it builds and runs as
 * generated, and Next.js logs nothing about it. Skipped without a network. Needs `npm run build`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Browser } from '../support/app.js'
import { skip } from '../support/skip.js'
import { bare, call, packedPackage, runFromRegistry } from './published.js'
import { type Site, startSite } from './site.js'

const guide = readFileSync(fileURLToPath(new URL('../../docs/start/nextjs.md', import.meta.url)), 'utf8')

/** The style sheets of the template's fonts, so that a build does not load them from Google. */
const fonts = Object.fromEntries(
  ['Geist', 'Geist Mono'].map((family) => [
    `https://fonts.googleapis.com/css2?family=${family.replace(' ', '+')}:wght@100..900&display=swap`,
    `@font-face { font-family: '${family}'; font-style: normal; font-weight: 100 900; src: local('${family}'); }`,
  ]),
)

describe('the application of docs/start/nextjs.md in a fresh create-next-app', function () {
  this.timeout(600_000)
  this.slow(300_000)
  const temporary = mkdtempSync(join(tmpdir(), 'server-auth-create-next-app-'))
  const folder = join(temporary, 'my-app')
  const next = 'node_modules/next/dist/bin/next'
  const mocked = join(temporary, 'fonts.js')
  const environment = { ...bare, NEXT_TELEMETRY_DISABLED: '1', NEXT_FONT_GOOGLE_MOCKED_RESPONSES: mocked }
  after(() => rmSync(temporary, { recursive: true, force: true }))

  before(async function () {
    const [, words = ''] = /^npx (create-next-app@latest my-app .*)$/m.exec(guide) ?? []
    try {
      await runFromRegistry(temporary, [...words.replaceAll("'", '').split(' '), '--disable-git', '--use-npm'])
    } catch (error) {
      skip(this, `no create-next-app (${String(error).split('\n')[0]})`)
    }
    await call('npm', ['install', '--no-audit', '--no-fund', 'next@latest', await packedPackage()], {
      cwd: folder,
      env: bare,
    })
    writeFileSync(mocked, `module.exports = ${JSON.stringify(fonts)}`)
    // The files of the guide, each named by its first line. Later blocks without a name are variants.
    for (const [, path = '', text = ''] of guide.matchAll(/^```tsx?\n\/\/ (\S+)\n(.*?)^```/gms)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  })

  it('has the options that prerender pages at run time', () => {
    expect(readFileSync(join(folder, 'next.config.ts'), 'utf8')).to.match(
      /cacheComponents: true,\s+partialPrefetching: true/,
    )
  })

  it('builds without a warning', async () => {
    const { stdout, stderr } = await call(process.execPath, [next, 'build'], { cwd: folder, env: environment })
    expect(stdout).to.match(/◐ \/profile/)
    // A CI server keeps no cache between two runs.
    const said = (stdout + stderr).replace(/^⚠ No build cache found.*$/m, '')
    expect(said, said).not.to.match(/warn|⚠|error|unstable|deprecated|server-auth/i)
  })

  for (const command of ['start', 'dev']) {
    it(`shows the page of a signed-in user, and logs nothing about it (next ${command})`, async () => {
      const site = await startHere(command)
      try {
        const browser = new Browser(site.origin)
        await browser.submit('/api/auth/callback/credentials', { email: 'ann@example.com', password: 'demo' })
        expect(await browser.session('/api/auth'), site.log()).to.have.nested.property('user.email', 'ann@example.com')
        for (let visit = 0; visit < 3; visit += 1) {
          const { status, text } = await browser.get('/profile')
          expect([status, text.includes('ann@example.com')], site.log()).to.deep.equal([200, true])
        }
      } finally {
        await site.stop()
      }
      expect(site.log()).to.include('Ready')
      expect(site.log()).not.to.match(/error|⨯|⚠|warn|unstable|prerendering/i)
    })
  }

  function startHere(command: string): Promise<Site> {
    return startSite(folder, [process.execPath, next, command], (port) => {
      const origin = `http://localhost:${port}`
      const secret = 'a-test-secret-of-more-than-32-characters'
      const env = { ...environment, PORT: String(port), AUTH_SECRET: secret, AUTH_URL: origin }
      return { origin, probe: `${origin}/favicon.ico`, env }
    })
  }
})
