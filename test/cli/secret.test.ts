import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

    it('adds the file to .gitignore, and creates that file', async () => {
      expect((await run('secret', '--write')).stdout).to.contain('Added .env to .gitignore.')
      expect(text('.gitignore')).to.equal('node_modules\n.env\n')
      expect((await run('secret', '--write', 'production.env')).stdout).to.contain(
        'Added production.env to .gitignore.',
      )
      expect(text('.gitignore')).to.equal('node_modules\n.env\nproduction.env\n')
      const again = await run('secret', '--write', '--force')
      expect(again.stdout).to.contain('Git ignores that file.')
      expect(text('.gitignore')).to.equal('node_modules\n.env\nproduction.env\n')
    })

    it('leaves .gitignore alone if git ignores the file by a rule of a parent folder', async () => {
      execFileSync('git', ['init', '--quiet'], { cwd: folder })
      writeFileSync(file('.gitignore'), '*.env\n.env\n')
      mkdirSync(file('server'))
      const args = [program, 'secret', '--write']
      execFileSync(process.execPath, args, { cwd: file('server') })
      expect(existsSync(file('server/.gitignore'))).to.equal(false)
    })

    it('changes no .gitignore for a file of another folder', async () => {
      mkdirSync(file('site'))
      const stdout = execFileSync(process.execPath, [program, 'secret', '--write', '../.env'], {
        cwd: file('site'),
        encoding: 'utf8',
      })
      expect(stdout).to.contain('Keep that file out of version control.')
      expect([existsSync(file('.gitignore')), existsSync(file('site/.gitignore'))]).to.deep.equal([false, false])
    })

    it('writes the secret also if .gitignore cannot be written', async () => {
      mkdirSync(file('.gitignore'))
      const { exitCode, stdout } = await run('secret', '--write')
      expect({ exitCode, secret: line.test(text().trimEnd()) }).to.deep.equal({ exitCode: 0, secret: true })
      expect(stdout).to.contain('Cannot write .gitignore').and.contain('Add .env to it.')
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
