/** Installs the packages of a folder that has its own lock file, such as `docs/`. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `npm ci` in the folder, unless its packages are already those of its lock file. @param options Further options of npm. */
export function installPackages(folder, ...options) {
  if (isInstalled(folder)) return
  const isWindows = process.platform === 'win32'
  execFileSync(isWindows ? 'npm.cmd' : 'npm', ['ci', ...options, '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
    shell: isWindows,
  })
}

/** Compares the lock file with the one that npm wrote at the last installation. That one has no entry for the folder itself. */
function isInstalled(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  try {
    const installed = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')).packages
    return Object.entries(installed).every(([path, { version }]) => lock.packages[path]?.version === version)
  } catch {
    return false
  }
}
