/** The company example as `npm start` starts it, behind the nginx of its README. Needs `npm run build`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../support/free-ports.js'
import { type OwnProcess, startProcess } from '../support/own-process.js'

const folder = fileURLToPath(new URL('../../examples/company/', import.meta.url))

/** The running example. */
export interface CompanySite {
  /** The origin of nginx. */
  readonly origin: string
  /** The issuer of the identity provider. */
  readonly issuer: string
  close(): Promise<void>
}

/** Starts the example on free ports, and waits for its customers. */
export async function startCompany(): Promise<CompanySite> {
  const [port = 0, providerPort = 0, proxyPort = 0] = await freePorts(3)
  const { AUTH_URL: _site, ...others } = process.env
  const env = { ...others, NODE_OPTIONS: '', PORT: String(port), PROVIDER_PORT: String(providerPort) }
  const server = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts'], { cwd: folder, env })
  let proxy: OwnProcess | undefined
  const close = async () => {
    await Promise.all([proxy?.close(), stop(server)])
  }
  try {
    await untilPrinted(server, 'Stop it with')
    proxy = await startProxy(port, proxyPort)
  } catch (error) {
    await close()
    throw error
  }
  return { origin: `http://localhost:${proxyPort}`, issuer: `http://127.0.0.1:${providerPort}`, close }
}

/** Starts nginx with the files of the example, on other ports. */
function startProxy(port: number, proxyPort: number): Promise<OwnProcess> {
  const own = mkdtempSync(join(tmpdir(), 'server-auth-company-'))
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const conf = read('nginx.conf').replace('127.0.0.1:8080', `127.0.0.1:${proxyPort}`)
  writeFileSync(join(own, 'nginx.conf'), conf.replace('127.0.0.1:3000', `127.0.0.1:${port}`))
  writeFileSync(join(own, 'main.conf'), (process.getuid?.() === 0 ? 'user root;\n' : '') + read('main.conf'))
  const command = ['/usr/sbin/nginx', '-p', own, '-c', 'main.conf', '-e', 'stderr'] as const
  return startProcess({ command, port: proxyPort, folder: own })
}

async function untilPrinted(server: ChildProcess, text: string): Promise<void> {
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
  for (let tries = 0; tries < 600 && server.exitCode === null; tries += 1) {
    if (output.includes(text)) return
    await setTimeout(100)
  }
  throw new Error(`The example did not print "${text}":\n${output}`)
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  server.kill()
  await once(server, 'exit')
}
