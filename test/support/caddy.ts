/** Caddy in front of a test's application, as a process of its own on a free loopback port. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-ports.js'
import { startProcess } from './own-process.js'

const program = '/usr/bin/caddy'

/** Why it cannot be started on this machine; `undefined` where it can. */
export function missingCaddy(): string | undefined {
  return existsSync(program) ? undefined : 'no Caddy found: apt-get install caddy'
}

/** Starts it before a server, with the one line that its manual has for a proxy. */
export async function startCaddy(upstream: string): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-caddy-'))
  const port = await freePort()
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  bind 127.0.0.1
  reverse_proxy ${new URL(upstream).host}
}
`,
  )
  const { close } = await startProcess({
    command: [program, 'run', '--config', file, '--adapter', 'caddyfile'],
    port,
    folder,
    env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  })
  return { origin: `http://127.0.0.1:${port}`, close }
}
