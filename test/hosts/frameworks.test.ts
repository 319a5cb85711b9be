/**
 * The applications of the pages about SvelteKit, Astro and React Router, with today's packages of npm's registry: built,
 * started, and used by a browser without scripts. Skipped without a network. Needs `npm run build`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Browser, target } from '../support/http-browser.js'
import { skip } from '../support/skip.js'
import { bare, call, packedPackage } from './published.js'
import { type Site, startSite } from './site.js'

/** A framework, with the parts of an application that its page does not print. */
interface Framework {
  readonly page: string
  readonly packages: readonly string[]
  /** The files of a reader's project, by path. `printed` has the code of the page by path, or by language. */
  files(printed: (name: string) => string): Readonly<Record<string, string>>
  /** The file that lists the providers. */
  readonly auth: string
  readonly build: readonly string[]
  readonly server: readonly string[]
  /** The form that signs out. */
  readonly form: { readonly path: string; readonly isChecked: 'by its token' | 'by its origin' }
}

const frameworks: Readonly<Record<string, Framework>> = {
  SvelteKit: {
    page: 'guides/sveltekit.md',
    // The major version that the page is for: SvelteKit 3 has no `$lib`.
    packages: ['@sveltejs/adapter-node@5', '@sveltejs/kit@2', '@sveltejs/vite-plugin-svelte@7', 'svelte@5', 'vite@8'],
    files: () => ({
      'vite.config.js': `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit({ adapter: adapter() })] }`,
      'src/app.html':
        '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.svelte': '<h1>Home</h1>',
      'src/routes/login/+page.svelte': '<h1>Login</h1>',
      'src/routes/account/+page.svelte': '<script>let { data } = $props()</script><p>{data.name}</p>',
      'src/routes/account/+page.server.js': `import { auth } from '$lib/server/auth'
export const load = async () => ({ name: (await auth.require()).user.name })`,
    }),
    auth: 'src/lib/server/auth.js',
    build: ['vite', 'build'],
    server: ['build/index.js'],
    form: { path: '/login?/leave', isChecked: 'by its origin' },
  },
  Astro: {
    page: 'guides/astro.md',
    packages: ['astro@latest', '@astrojs/node@latest'],
    files: (printed) => ({
      'astro.config.mjs': `import node from '@astrojs/node'
const security = { allowedDomains: [{ hostname: 'localhost' }] }
export default { output: 'server', adapter: node({ mode: 'standalone' }), security }`,
      // A guard for a second factor would reject the password of this test.
      'src/pages/account.astro': printed('astro').replace(', { aal: 2 }', ''),
    }),
    auth: 'src/auth.js',
    build: ['astro', 'build'],
    server: ['dist/server/entry.mjs'],
    form: { path: '/leave', isChecked: 'by its token' },
  },
  'React Router': {
    page: 'guides/react-router.md',
    packages: [
      ...['@react-router/dev@7', '@react-router/node@7', '@react-router/serve@7', 'react-router@7'],
      ...['isbot@5', 'react@19', 'react-dom@19', 'vite@8'],
    ],
    files: (printed) => ({
      'react-router.config.js': 'export default { future: { v8_middleware: true } }',
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }`,
      'app/root.jsx': `${printed('app/root.jsx')}
import { Outlet } from 'react-router'
export default () => <html lang="en"><body><Outlet /></body></html>`,
    }),
    auth: 'app/auth.server.js',
    build: ['react-router', 'build'],
    server: ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
    form: { path: '/account', isChecked: 'by its token' },
  },
}

/** The password that the test adds to the providers of a page. */
const providers = `providers: [
    GitHub,
    Credentials({
      credentials: { username: {}, password: { type: 'password' } },
      authorize: ({ username, password }) => (password === 'demo' ? { id: username, name: username } : null),
    }),
  ]`

for (const [name, framework] of Object.entries(frameworks)) {
  describe(`the application of docs/${framework.page} with ${name} from npm`, function () {
    this.timeout(600_000)
    this.slow(300_000)
    const folder = mkdtempSync(join(tmpdir(), 'server-auth-framework-'))
    let site: Site
    after(async () => {
      await site?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    before(async function () {
      writeApplication(folder, framework)
      const archive = await packedPackage()
      try {
        // Packages of one release may name each other's exact versions, while a patch of one of them is published.
        const options = ['--no-audit', '--no-fund', '--engine-strict', '--legacy-peer-deps']
        await call('npm', ['install', ...options, ...framework.packages, archive], { cwd: folder, env: bare })
      } catch (error) {
        skip(this, `no ${name} from npm for this Node.js (${/EBADENGINE|E[A-Z]{4,}|\d{3} /.exec(String(error))?.[0]})`)
      }
      await call('npm', ['exec', '--', ...framework.build], { cwd: folder, env: bare })
      site = await startSite(folder, [process.execPath, ...framework.server], (port) => {
        const origin = `http://localhost:${port}`
        const secrets = { AUTH_SECRET: 'a-test-secret-of-more-than-32-characters', AUTH_GITHUB_ID: 'id' }
        const place = { PORT: String(port), HOST: 'localhost', ORIGIN: origin, AUTH_URL: origin }
        return { origin, probe: origin, env: { ...bare, ...secrets, ...place, AUTH_GITHUB_SECRET: 'secret' } }
      })
    })
    afterEach(function () {
      if (this.currentTest?.state === 'failed') console.error(site?.log().slice(-3000))
    })

    const base = '/api/auth'
    // Frameworks check the origin of forms, which browsers send.
    const open = () => new Browser(site.origin, { base, headers: { origin: site.origin, accept: 'text/html' } })
    const nameOf = async (browser: Browser) => (await browser.session())?.user?.name

    async function signedIn(): Promise<Browser> {
      const browser = open()
      await browser.submit(`${base}/callback/credentials`, { username: 'ann', password: 'demo' })
      expect(await nameOf(browser)).to.equal('ann')
      return browser
    }

    it('rejects a wrong password', async () => {
      const browser = open()
      const answer = await browser.submit(`${base}/callback/credentials`, { username: 'ann', password: 'wrong' })
      expect(target(answer)).to.include('error=CredentialsSignin')
      expect(await nameOf(browser)).to.equal(undefined)
    })

    it('sends visitors from a guarded page to the sign-in page, and shows it to users', async () => {
      const visitor = await open().get('/account')
      expect([302, 303]).to.include(visitor.status)
      expect(new URL(target(visitor), site.origin).pathname).to.equal(`${base}/signin`)
      const { status, text } = await (await signedIn()).get('/account')
      expect([status, text.includes('ann')]).to.deep.equal([200, true])
    })

    it('sends users to the provider of the page', async () => {
      const answer = await open().submit(`${base}/signin/github`, {})
      expect(target(answer)).to.match(/^https:\/\/github\.com\/login\/oauth\/authorize\?.*client_id=id/)
    })

    it(`checks a form ${framework.form.isChecked}, and signs out`, async () => {
      const { path, isChecked } = framework.form
      const browser = await signedIn()
      const { text } = await browser.get('/account')
      const csrfToken = /name="csrfToken" value="([^"]+)"/.exec(text)?.[1]
      const isToken = isChecked === 'by its token'
      expect(csrfToken !== undefined).to.equal(isToken)
      const foreign = await browser.post(path, {}, isToken ? {} : { origin: 'https://evil.example' })
      expect([foreign.status, await nameOf(browser)]).to.deep.equal([403, 'ann'])
      const own = await browser.post(path, { ...(csrfToken && { csrfToken }) })
      expect([302, 303]).to.include(own.status)
      expect(await nameOf(browser)).to.equal(undefined)
    })
  })
}

/** Writes the code of the page, and the rest of a reader's project. */
function writeApplication(folder: string, { page, files, auth }: Framework): void {
  const guide = readFileSync(fileURLToPath(new URL(`../../docs/${page}`, import.meta.url)), 'utf8')
  const blocks = [...guide.matchAll(/^```(\w+)\n(?:\/\/ (\S+)\n)?(.*?)^```/gms)]
  const code = new Map(blocks.flatMap(([, , path, text = '']) => (path === undefined ? [] : [[path, text] as const])))
  const printed = (name: string) =>
    code.get(name) ?? blocks.flatMap(([, language, , text = '']) => (language === name ? [text] : [])).join('')
  const source = code.get(auth) ?? ''
  expect(source).to.include('providers: [GitHub]')
  const withPassword = `import Credentials from 'server-auth/providers/credentials'\n${source.replace('providers: [GitHub]', providers)}`
  const manifest = JSON.stringify({ name: 'application', private: true, type: 'module' })
  const all = { ...Object.fromEntries(code), ...files(printed), [auth]: withPassword, 'package.json': manifest }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
