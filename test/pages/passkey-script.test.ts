/** Tests that the script of the sign-in page is the compiled source, and is valid in a page. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { passkeyScript } from '../../lib/generated/passkey-script.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const made = 'lib/generated/passkey-script.ts'

describe('lib/generated/passkey-script.ts', () => {
  it('cannot end its element, and needs no eval, no style and no other host', () => {
    expect(passkeyScript).to.match(/^"use strict";\(\(\)=>\{.*\}\)\(\);$/s)
    expect(passkeyScript).to.not.match(/<\/?script|<!--|\beval\b|new Function|\.style\b|innerHTML|import\(/i)
    expect(passkeyScript).to.match(/^[\x20-\x7e\n]*$/)
  })

  it('is small enough to be part of a page', () => {
    expect(passkeyScript.length).to.be.below(20_000)
  })

  it('keeps the licence of what it contains', () => {
    const text = readFileSync(join(root, made), 'utf8')
    expect(text).to.include('Copyright (c) 2020 Matthew Miller').and.include('The above copyright notice')
  })
})

describe('scripts/page-script.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-script-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  before(() => {
    for (const path of ['scripts/page-script.mjs', 'lib/client', 'package.json', made]) {
      cpSync(join(root, path), join(folder, path), { recursive: true })
    }
    mkdirSync(join(folder, 'node_modules'))
    for (const name of ['@simplewebauthn', 'esbuild']) {
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    }
  })

  function run(...args: string[]): { status: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/page-script.mjs', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  }

  it('--check finds the committed script up to date', () => {
    expect(run('--check')).to.deep.equal({ status: 0, said: 'The script of the sign-in page is up to date.\n' })
  })

  it('--check fails when the source has changed, writes nothing, and is content again after a run', () => {
    const source = join(folder, 'lib/client/passkey-error.ts')
    writeFileSync(source, readFileSync(source, 'utf8').replace('The request was stopped.', 'Stopped.'))
    const before = readFileSync(join(folder, made), 'utf8')
    const { status, said } = run('--check')
    expect(status).to.equal(1)
    expect(said).to.include('npm run script:page')
    expect(readFileSync(join(folder, made), 'utf8')).to.equal(before)
    expect(run().status).to.equal(0)
    expect(readFileSync(join(folder, made), 'utf8')).to.include('Stopped.')
    expect(run('--check').status).to.equal(0)
  })

  it('refuses what would end the script element', () => {
    const source = join(folder, 'lib/client/passkey-error.ts')
    writeFileSync(source, readFileSync(source, 'utf8').replace('Stopped.', '<!-- Stopped.'))
    const { status, said } = run()
    expect(status).to.equal(1)
    expect(said).to.include('<!-- may not stand in a script element')
  })

  it('--check fails when there is no script yet', () => {
    rmSync(join(folder, made))
    const source = join(folder, 'lib/client/passkey-error.ts')
    writeFileSync(source, readFileSync(source, 'utf8').replace('<!-- Stopped.', 'Stopped.'))
    expect(run('--check').status).to.equal(1)
  })
})
