/** Caddy in front of a test's application, as a process of its own on a free loopback port. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCertificate } from './certificates.js'
import { freePort } from './free-ports.js'
import { startProcess } from './own-process.js'

const program = '/usr/bin/caddy'

/** Returns the reason why it cannot be started on this machine, or `undefined` if it can. */
export function missingCaddy(): string | undefined {
  return existsSync(program) ? undefined : 'no Caddy found: apt-get install caddy'
}

/** Starts it before a server, with the one line that its manual has for a proxy. @param isTls With the certificate of the tests. */
export async function startCaddy(
  upstream: string,
  isTls = false,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-caddy-'))
  const port = await freePort()
  const file = join(folder, 'Caddyfile')
  const origin = isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  const certificate = isTls ? writeCertificate(folder) : undefined
  writeFileSync(
    file,
    `{
  admin off
  auto_https off
}
${origin} {
  bind 127.0.0.1
  ${certificate ? `tls ${certificate.cert} ${certificate.key}` : ''}
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
  return { origin, close }
}
