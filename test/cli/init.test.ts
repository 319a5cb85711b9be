/**
 * `npx server-auth init`: what it writes, what it leaves alone, and what it prints. Fresh applications are in
 * test/hosts.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { authFile } from '../../lib/cli/init/auth-file.js'
import { compileScript } from '../support/child-script.js'

const program = await compileScript('lib/cli/index.ts')

describe('npx server-auth init', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-init-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const packages = (dependencies: object, more: object = {}) => JSON.stringify({ dependencies, ...more })

  function run(...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [program, 'init', ...args], { cwd: folder }, (error, stdout, stderr) => {
        const exitCode = error ? error.code : 0
        if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr })
        else reject(error)
      })
    })
  }

  const app = "const express = require('express')\nconst app = express()\napp.listen(3000)\n"

  it('changes no existing file without --yes: it prints the changes that it would make', async () => {
    put({ 'package.json': packages({ express: '^5.0.0' }), 'app.js': app, '.gitignore': 'dist\n' })
    const { stdout } = await run()
    expect([text('app.js'), text('.gitignore')]).to.deep.equal([app, 'dist\n'])
    expect(stdout).to.contain("  + app.use('/auth', auth.router)\n").and.contain('  + .env\n')
    expect(stdout).to.contain('Not changed: app.js').and.contain('npm install server-auth')
    expect(stdout).to.contain('Until .env is ignored, a commit takes its secrets along.')
    await run('--yes')
    expect(text('app.js')).to.equal(
      "const express = require('express')\nconst { auth } = require('./auth')\nconst app = express()\napp.use('/auth', auth.router)\napp.listen(3000)\n",
    )
    expect(text('.gitignore')).to.equal('dist\n.env\n')
  })

  it('adds secrets to an existing environment file, and prints none', async () => {
    put({ 'package.json': packages({ express: '^5.0.0' }), 'app.js': app })
    put({ '.env': 'DATABASE_URL=postgres://user:hidden@db/app\nAUTH_SECRET=""' })
    const { stdout } = await run('--yes')
    expect(text('.env')).to.match(
      /^DATABASE_URL=postgres:\/\/user:hidden@db\/app\nAUTH_SECRET=""\nAUTH_SECRET=[\w-]{43}\nAUTH_DEVELOPMENT_PASSWORD=[\w-]{12}\n$/,
    )
    const [, secret = '?'] = /^AUTH_SECRET=([\w-]+)$/m.exec(text('.env')) ?? []
    expect(stdout).to.contain('+ AUTH_SECRET=…').and.not.contain(secret).and.not.contain('hidden')
  })

  it('keeps an existing secret, and makes a new file readable by its owner only', async () => {
    put({ 'package.json': packages({ express: '^5.0.0' }), 'app.js': app, '.env': 'AUTH_SECRET=mine\n' })
    await run('--yes')
    expect(text('.env')).to.match(/^AUTH_SECRET=mine\nAUTH_DEVELOPMENT_PASSWORD=[\w-]{12}\n$/)
    rmSync(join(folder, '.env'))
    await run('--yes')
    if (process.platform !== 'win32') expect(statSync(join(folder, '.env')).mode & 0o777).to.equal(0o600)
  })

  it('with Next.js, reads .env as well', async () => {
    put({ 'package.json': packages({ next: '16' }), '.env': 'AUTH_SECRET=mine\n', '.gitignore': '.env*\n' })
    await run('--yes')
    expect(text('.env')).to.equal('AUTH_SECRET=mine\n')
    expect(text('.env.local')).to.match(/^AUTH_DEVELOPMENT_PASSWORD=[\w-]{12}\n$/)
    expect(text('app/api/auth/[...auth]/route.js')).to.contain("from '../../../../auth'")
    expect(text('.gitignore')).to.equal('.env*\n')
  })

  it('leaves alone an auth.js with another purpose, and with it all other files', async () => {
    put({ 'package.json': packages({ express: '^5.0.0' }), 'app.js': app, 'auth.js': 'exports.auth = 1\n' })
    const { exitCode, stderr } = await run('--yes')
    expect([exitCode, stderr]).to.deep.equal([
      1,
      'auth.js is there already, and is not about server-auth. Nothing was changed.\n',
    ])
    expect(readdirSync(folder).sort()).to.deep.equal(['app.js', 'auth.js', 'package.json'])
  })

  it('writes no development password beside an auth.js that has other providers', async () => {
    put({ 'package.json': packages({ express: '^5.0.0' }), 'app.js': app })
    put({ 'auth.js': "const { defineAuth } = require('server-auth')\n" })
    await run('--yes')
    expect(text('.env')).to.match(/^AUTH_SECRET=[\w-]{43}\n$/)
  })

  it('follows the style of the file: quotes, semicolons, line ends, indentation', async () => {
    put({ 'package.json': packages({ express: '^5.0.0' }, { type: 'module', main: './web.js' }) })
    put({
      'web.js':
        'import express from "express";\r\nfunction make() {\r\n  const site = express();\r\n  return site;\r\n}\r\n',
    })
    await run('--yes')
    expect(text('web.js')).to.equal(
      'import express from "express";\r\nimport { auth } from "./auth.js";\r\nfunction make() {\r\n  const site = express();\r\n  site.use("/auth", auth.router);\r\n  return site;\r\n}\r\n',
    )
  })

  const generated = `var express = require('express');
var logger = require('morgan');
var helmet = require('helmet');
var app = express();

// view engine setup (don't move)
app.set('view engine', 'jade');
if (app.get('env') !== 'test') {
  app.use(logger('dev', { skip: (req) => /[(]/.test(req.url) }));
}
app.use(express.json());
app.use(
  helmet({
    contentSecurityPolicy: false,
  }),
);
app.use(express.static('public'));

app.use('/users', usersRouter);
app.get('/', home);
app.use(function(req, res, next) { next(createError(404)); });
app.use(logger('dev'));
`
  const mountedAfter: Readonly<Record<string, readonly [text: string, line: string]>> = {
    'the access log and the security headers': [generated, ');'],
    'an access log with its own name': [
      "import express from 'express'\nimport { pinoHttp } from 'pino-http'\nconst app = express()\nconst log = pinoHttp({ level: 'info' })\napp.use(log)\napp.use(express.json())\n",
      'app.use(log)',
    ],
    'security headers that are loaded in place': [
      "const express = require('express')\nconst app = express()\napp.use(require('helmet')())\napp.listen(3000)\n",
      "app.use(require('helmet')())",
    ],
    'the line of the application, without any of them': [
      "const express = require('express')\nconst app = express()\napp.use(helmetlike())\napp.use((req, res) => res.sendStatus(404))\n",
      'const app = express()',
    ],
    'a log before the first route only': [
      "const express = require('express')\nconst morgan = require('morgan')\nconst app = express()\napp.get('/health', ok)\napp.use(morgan('dev'))\n",
      'const app = express()',
    ],
    'a log in the same function only': [
      "const express = require('express')\nconst morgan = require('morgan')\nfunction make() {\n  const app = express()\n  return app\n}\nconst app = make()\napp.use(morgan('dev'))\n",
      '  const app = express()',
    ],
  }
  for (const [title, [source, line]] of Object.entries(mountedAfter)) {
    it(`mounts the routes after ${title}`, async () => {
      put({ 'package.json': packages({ express: '^5.0.0' }), 'app.js': source })
      await run('--yes')
      const lines = text('app.js').split('\n')
      const at = lines.findIndex((each) => each.includes('auth.router'))
      expect(lines[at - 1]).to.equal(line)
      const others = lines.filter((each, index) => index !== at && !/[./]auth'/.test(each))
      expect(others.join('\n')).to.equal(source)
    })
  }

  it('mounts after the log and the headers of Hono', async () => {
    const source =
      "import { Hono } from 'hono'\nimport { logger } from 'hono/logger'\nimport { secureHeaders as headers } from 'hono/secure-headers'\nconst app = new Hono()\napp.use('*', logger())\napp.use(headers())\napp.notFound((context) => context.text('no', 404))\n"
    put({ 'package.json': packages({ hono: '4' }, { type: 'module' }), 'src/index.ts': source })
    await run('--yes')
    expect(text('src/index.ts')).to.contain("app.use(headers())\napp.on(['GET', 'POST'], '/api/auth/*'")
  })

  it('prints the code to add if it does not find the application', async () => {
    put({ 'package.json': packages({ express: '~4.16.1' }), 'app.js': "require('express')().listen(3000)\n" })
    const { stdout } = await run('--yes')
    expect(stdout).to.contain("const { auth } = require('./auth')\n     app.use('/auth', auth.router)")
    expect(stdout).to.contain('npm install server-auth\n')
  })

  it('updates a version of Express for which npm would refuse the package', async () => {
    for (const [range, isRefused] of [
      ['4.16.3', true],
      ['~4.15.2', true],
      ['3.21.2', true],
      ['~4.16.1', false],
      ['4.16.4', false],
      ['4.17.0', false],
      ['^4.13.0', false],
      ['4', false],
    ] as const) {
      put({ 'package.json': packages({ express: range }), 'app.js': app })
      const { stdout } = await run()
      expect([range, stdout.includes('npm install server-auth express@4')]).to.deep.equal([range, isRefused])
    }
  })

  it('asks for the framework if package.json names none, or several', async () => {
    put({ 'package.json': packages({ express: '5', hono: '4' }), 'app.js': app })
    const several = await run('--yes')
    expect(several.exitCode).to.equal(2)
    expect(several.stderr).to.contain('several frameworks: express, hono. Say which one with --framework.')
    expect((await run('--yes', '--framework', 'express')).exitCode).to.equal(0)
    put({ 'package.json': packages({}) })
    expect((await run('--yes')).stderr).to.contain('no framework that is known here')
    expect((await run('--framework', 'koa')).stderr).to.contain('one of express, next, hono')
    rmSync(join(folder, 'package.json'))
    expect((await run()).stderr).to.contain('There is no package.json here')
  })

  it('rejects Cloudflare Workers, where the routes do not run', async () => {
    put({ 'package.json': packages({ hono: '4', wrangler: '4' }), 'src/index.ts': 'const app = new Hono()\n' })
    const { exitCode, stderr } = await run('--yes')
    expect([exitCode, stderr]).to.deep.equal([1, 'The routes need Node: they cannot run on Cloudflare Workers.\n'])
    expect(existsSync(join(folder, '.env'))).to.equal(false)
  })

  it('mounts on a Hono with types, and not on one with a base path of its own', async () => {
    const made = "import { Hono } from 'hono'\nexport const app: Hono<Env> = new Hono<Env>({ strict: false })\n"
    put({ 'package.json': packages({ hono: '4' }, { type: 'module' }), 'tsconfig.json': '{}', 'src/index.ts': made })
    await run('--yes')
    expect(text('src/index.ts'))
      .to.contain("import { handlers } from './auth.js'\n")
      .and.contain("app.on(['GET', 'POST'], '/api/auth/*'")
    put({ 'src/index.ts': "import { Hono } from 'hono'\nconst app = new Hono().basePath('/v1')\n" })
    expect((await run('--yes')).stdout).to.contain('Write where your application is made')
    expect(text('src/index.ts')).to.not.contain('handlers')
  })

  it('changes nothing outside of the project, wherever package.json points', async () => {
    for (const main of ['../app.js', './lib/../../app.js', '..\\app.js']) {
      put({ 'app.js': app, 'project/package.json': packages({ express: '5' }, { main }) })
      folder = join(folder, 'project')
      const { exitCode, stdout } = await run('--yes')
      folder = dirname(folder)
      expect([exitCode, text('app.js'), readdirSync(folder).sort()]).to.deep.equal([0, app, ['app.js', 'project']])
      expect(stdout).to.contain('Write where your application is made')
    }
  })

  it('finds the entry where `main` is a folder', async () => {
    put({ 'package.json': packages({ express: '5' }, { main: './lib' }), 'lib/x.js': '', 'app.js': app })
    expect((await run('--yes')).exitCode).to.equal(0)
    expect(text('app.js')).to.contain('auth.router')
  })

  for (const [lines, added] of [
    ['.env\n!.env\n', true],
    ['!.env\n.env*\n', false],
    [' .env\n', true],
    ['/.env  \n', false],
  ] as const) {
    it(`keeps the secrets out of commits where .gitignore has ${JSON.stringify(lines)}`, async () => {
      put({ 'package.json': packages({ express: '5' }), 'app.js': app, '.gitignore': lines })
      await run('--yes')
      expect(text('.gitignore')).to.equal(added ? `${lines}.env\n` : lines)
    })
  }

  describe('the sign-in for development', () => {
    type Authorize = (typed: Readonly<Record<string, unknown>>) => unknown
    /** Returns the provider that the generated file creates in an environment. */
    function signIn(env: Readonly<Record<string, string>>): Authorize {
      const whole = authFile({ name: 'auth.js', maker: 'next', isEsm: false, envFile: '.env' })
      const made = whole.slice(whole.indexOf('function developmentSignIn'))
      const make = new Function('Credentials', 'process', `${made}\nreturn developmentSignIn().authorize`)
      return make((options: unknown) => options, { env }) as Authorize
    }

    it('does not exist in production', () => {
      expect(() => signIn({ NODE_ENV: 'production', AUTH_DEVELOPMENT_PASSWORD: 'x' })).to.throw('for development')
    })

    it('rejects any input without the password of the machine', () => {
      const environments: Record<string, string>[] = [
        {},
        { AUTH_DEVELOPMENT_PASSWORD: '' },
        { AUTH_DEVELOPMENT_PASSWORD: 'right' },
      ]
      for (const env of environments) {
        for (const password of [
          undefined,
          null,
          '',
          'undefined',
          'Right',
          ['right'],
          { toString: () => 'right' },
          true,
          0,
        ]) {
          expect(signIn(env)({ username: 'ann', password }), String(password)).to.equal(null)
        }
      }
      const authorize = signIn({ AUTH_DEVELOPMENT_PASSWORD: 'right' })
      for (const username of [undefined, '', ['ann'], {}])
        expect(authorize({ username, password: 'right' })).to.equal(null)
      expect(authorize({ username: 'ann', password: 'right' })).to.deep.equal({ id: 'ann', name: 'ann' })
    })
  })
})
