import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { compileScript } from '../support/child-script.js'

const program = await compileScript('lib/cli/index.ts')

const line = /^AUTH_SECRET=[\w-]{43}$/

describe('npx server-auth', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-cli-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const file = (name = '.env') => join(folder, name)
  const text = (name = '.env') => readFileSync(file(name), 'utf8')

  function run(...args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    return new Promise((resolve, reject) => {
      const command = [program, ...args]
      execFile(process.execPath, command, { cwd: folder }, (error, stdout, stderr) => {
        const exitCode = error ? error.code : 0
        if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr })
        else reject(error)
      })
    })
  }

  describe('secret', () => {
    it('prints a line that is ready to paste, another one each time', async () => {
      const [first, second] = await Promise.all([run('secret'), run('secret')])
      expect(first).to.include({ exitCode: 0, stderr: '' })
      expect(first.stdout.trimEnd()).to.match(line)
      expect(second.stdout).not.to.equal(first.stdout)
    })
  })

  describe('secret --write', () => {
    it('creates .env, readable by its owner only, and keeps the secret off the screen', async () => {
      const { exitCode, stdout } = await run('secret', '--write')
      expect(exitCode).to.equal(0)
      expect(text().trimEnd()).to.match(line)
      expect(stdout).to.contain('.env').and.not.contain(text().trimEnd().slice('AUTH_SECRET='.length))
      if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).to.equal(0o600)
    })

    it('takes another file', async () => {
      await run('secret', '--write', 'production.env')
      expect(text('production.env').trimEnd()).to.match(line)
    })

    it('adds a line to a file that has none, also behind a last line without a line break', async () => {
      writeFileSync(file(), 'PORT=3000\nOTHER_AUTH_SECRET=x\n# AUTH_SECRET=old')
      expect((await run('secret', '--write')).exitCode).to.equal(0)
      const lines = text().split('\n')
      expect(lines.slice(0, 3)).to.deep.equal(['PORT=3000', 'OTHER_AUTH_SECRET=x', '# AUTH_SECRET=old'])
      expect(lines[3]).to.match(line)
      expect(lines.slice(4)).to.deep.equal([''])
    })

    it('fills a place that was left empty', async () => {
      writeFileSync(file(), 'AUTH_SECRET="" # npx server-auth secret\r\nPORT=3000\r\n')
      expect((await run('secret', '--write')).exitCode).to.equal(0)
      const [first, ...others] = text().split('\r\n')
      expect(first).to.match(line)
      expect(others).to.deep.equal(['PORT=3000', ''])
    })

    for (const there of ['AUTH_SECRET=old', 'export AUTH_SECRET = "old"', "AUTH_SECRET=\nAUTH_SECRET='old'"]) {
      it(`refuses to replace ${JSON.stringify(there)}`, async () => {
        writeFileSync(file(), `PORT=3000\n${there}\n`)
        const { exitCode, stdout, stderr } = await run('secret', '--write')
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' })
        expect(stderr).to.contain('.env already has an AUTH_SECRET').and.contain('--force').and.contain('AUTH_SECRET_1')
        expect(text()).to.equal(`PORT=3000\n${there}\n`)
      })
    }

    it('replaces it with --force, and leaves no second one behind that would win', async () => {
      writeFileSync(file(), 'AUTH_SECRET=old\nPORT=3000\nAUTH_SECRET=older\n')
      expect((await run('secret', '--write', '--force')).exitCode).to.equal(0)
      expect(text()).to.match(/^AUTH_SECRET=[\w-]{43}\nPORT=3000\n# \(replaced\)\n$/)
    })

    it('says which file it could not write', async () => {
      const { exitCode, stderr } = await run('secret', '--write', 'no-such-folder/.env')
      expect(exitCode).to.equal(1)
      expect(stderr).to.contain('Cannot write no-such-folder/.env').and.not.contain('    at ')
    })
  })

  describe('help and mistakes', () => {
    for (const args of [[], ['--help'], ['help']]) {
      it(`explains the commands on "${args.join(' ')}"`, async () => {
        const { exitCode, stdout } = await run(...args)
        expect(exitCode).to.equal(0)
        expect(stdout).to.contain('Usage: npx server-auth <command>').and.contain('secret')
      })
    }

    it('explains a command', async () => {
      const { exitCode, stdout } = await run('secret', '--help')
      expect(exitCode).to.equal(0)
      expect(stdout).to.contain('--write [file]')
    })

    const mistakes = [
      ['no-such-command'],
      ['constructor'],
      ['secret', '--wriet'],
      ['secret', '.env'],
      ['secret', '--force'],
      ['secret', '--write', 'a', 'b'],
    ]
    for (const args of mistakes) {
      it(`answers "${args.join(' ')}" with the help and exit code 2`, async () => {
        const { exitCode, stdout, stderr } = await run(...args)
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
        expect(stderr).to.contain('Usage: npx server-auth')
      })
    }
  })
})
