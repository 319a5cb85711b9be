/** The machine and the versions that a measurement is about, and the libraries that are compared. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { pinned } from './servers.mjs'

const bench = new URL('../', import.meta.url)
const root = new URL('../../', import.meta.url)
const peers = ['@auth/express', 'better-auth', 'express-openid-connect', 'express-session', 'iron-session', 'passport']
const shared = ['express', 'hono', 'next', 'pg', 'libsql', 'oidc-provider']

/** Installs what is compared, where it is missing or older than its lock. It is in no dependency of the project's. */
export function installPeers() {
  const installed = new URL('node_modules/.package-lock.json', bench)
  const lock = new URL('package-lock.json', bench)
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  console.log('installing the libraries to compare with (npm ci in bench/)')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: bench, stdio: 'inherit' })
}

/** Names the machine and the versions. */
export function machine() {
  return {
    cpu: `${cpus().length} × ${cpus()[0].model.trim()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${type()} ${release()}`,
    pinned,
    versions: Object.fromEntries([
      ['server-auth', versionIn(new URL('package.json', root))],
      ...shared.map((name) => [name, versionIn(new URL(`node_modules/${name}/package.json`, root))]),
      ...peers.map((name) => [name, versionIn(new URL(`node_modules/${name}/package.json`, bench))]),
    ]),
  }
}

function versionIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).version
}
