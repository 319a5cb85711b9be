/** The Dockerfiles of the examples build, and the images start, answer, and report their health. Needs `npm run build`. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { packedPackage } from '../hosts/published.js'
import { secret } from '../support/app.js'
import { buildDockerfile, type Image } from '../support/dockerfile.js'
import { freePorts } from '../support/free-ports.js'
import { Browser } from '../support/http-browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const npm = ['--ignore-scripts', '--no-audit', '--no-fund']
const env = { PATH: process.env.PATH, HOME: process.env.HOME }

for (const [name, base, password] of [
  ['express-minimal', '/auth', 'demo'],
  ['next-app', '/api/auth', undefined],
] as const) {
  describe(`the Dockerfile of ${name}`, function () {
    this.timeout(600_000)
    const folder = mkdtempSync(join(tmpdir(), 'server-auth-docker-'))
    let registry: LoopbackServer | undefined
    let image: Image
    let started: ReturnType<typeof spawn> | undefined
    let origin = ''

    before(async () => {
      const bytes = readFileSync(await packedPackage())
      registry = await startLoopbackServer((_request, response) => void response.end(bytes))
      const example = join(folder, 'example')
      cpSync(join(root, 'examples', name), example, {
        recursive: true,
        filter: (path) => !/[\\/](node_modules|\.next)$/.test(path),
      })
      // The package is not published: it comes from this server.
      const manifest = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
      manifest.dependencies['server-auth'] = `${registry.origin}/package.tgz`
      writeFileSync(join(example, 'package.json'), JSON.stringify(manifest))
      await run('npm', ['install', '--package-lock-only', ...npm], { cwd: example, env })
      image = await buildDockerfile(example, env)
      const [port = 0] = await freePorts(1)
      origin = `http://127.0.0.1:${port}`
      const [command = '', ...words] = image.command
      started = spawn(command, words, { cwd: image.workdir, env: running(port) })
      while (!(await fetch(origin).catch(() => undefined))) {
        expect(started.exitCode, 'the application ended').to.equal(null)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    after(async () => {
      if (started?.exitCode === null) {
        started.kill()
        await once(started, 'close')
      }
      await registry?.close()
      for (const each of [folder, image?.root]) if (each) rmSync(each, { recursive: true, force: true })
    })

    function running(port: number) {
      const own = {
        PORT: String(port),
        HOSTNAME: '127.0.0.1',
        AUTH_SECRET: secret,
        AUTH_URL: `http://127.0.0.1:${port}`,
      }
      return { ...env, ...image.env, ...own }
    }

    it('runs without root, without development packages, and without the files of the machine', async () => {
      expect(image.user).to.equal('node')
      const { stdout } = await run('ls', ['-a', image.workdir])
      expect(stdout.split('\n')).to.not.include.members(['.env'])
      expect((await run('ls', [join(image.workdir, 'node_modules')])).stdout.split('\n')).to.not.include('typescript')
    })

    it('serves the sign-in', async () => {
      const browser = new Browser(origin, { base })
      expect((await browser.get(`${base}/providers`)).body).to.have.property('credentials')
      if (password === undefined) return
      expect((await browser.signIn({ password })).status).to.equal(303)
      expect((await browser.get('/')).body.user.name).to.equal('ann')
    })

    it('reports its health', async () => {
      const [command = '', ...words] = image.health
      const port = Number(new URL(origin).port)
      await run(command, words, { cwd: image.workdir, env: running(port) })
      const [free = 0] = await freePorts(1)
      const sick = run(command, words, { cwd: image.workdir, env: running(free) })
      expect((await sick.catch((error: { code: number }) => error)) as object).to.include({ code: 1 })
    })
  })
}

it('the guide to deployment has both Dockerfiles', () => {
  const guide = readFileSync(join(root, 'docs/guides/deployment.md'), 'utf8')
  const printed = [...guide.matchAll(/^```dockerfile\n(.*?)^```/gms)].map(([, text]) => text)
  const files = ['express-minimal', 'next-app'].map((name) =>
    readFileSync(join(root, 'examples', name, 'Dockerfile'), 'utf8'),
  )
  expect(printed).to.deep.equal(files)
})
