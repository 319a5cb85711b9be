/** One run reports all problems, and the cause of each: as a process, with the configuration that an application makes. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type RequestListener, request as send } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Finding } from '../../../lib/cli/doctor/finding.js'
import { withEnv } from '../../shim/stage.js'
import { startApp, type TestApp } from '../../support/app.js'
import { writeCertificate } from '../../support/certificates.js'
import { compileScript } from '../../support/child-script.js'
import { freePort } from '../../support/free-ports.js'
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server.js'
import { alarms, findingsOf, goodSecret } from './stage.js'

const program = await compileScript('lib/cli/index.ts')
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))

let folder = ''
beforeEach(() => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'doctor-all-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function look(auth: string, env: Record<string, string | undefined>, ...args: string[]): Promise<Finding[]> {
  writeFileSync(join(folder, 'auth.js'), auth)
  const { DATABASE_URL, NODE_OPTIONS, ...inherited } = process.env
  const options = { cwd: folder, env: { ...inherited, NODE_ENV: 'production', ...env } }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, 'doctor', '--json', ...args], options, (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout).findings)
      } catch {
        reject(new Error(stdout + stderr))
      }
    })
  })
}

const idsOf = (findings: readonly Finding[], level: string) =>
  findings.filter((each) => each.level === level).map(({ id }) => id)

describe('npx server-auth doctor, with several problems', function () {
  this.slow(5000)

  it('reports all of them in one run, also if defineAuth throws at the first', async () => {
    const auth = `import { defineAuth } from 'server-auth'
      import GitHub from 'server-auth/providers/github'
      import Google from 'server-auth/providers/google'
      import Keycloak from 'server-auth/providers/keycloak'
      export const auth = defineAuth({
        providers: [Google, GitHub, Keycloak({ issuer: 'https://sso.example.com/realms/x', clientId: 'changeme', clientSecret: 'y7Q-3kd8' })],
        session: { strategy: 'cookie' },
        pages: { signIn: 7 },
        emailAndPasword: true,
      })`
    const env = { AUTH_SECRET: 'short', AUTH_URL: 'app.example.com', AUTH_GOGLE_ID: 'x' }
    const findings = await look(auth, env, '--offline')
    expect(idsOf(findings, 'failure').toSorted()).to.deep.equal([
      'config.invalid',
      'config.invalid',
      'config.option',
      'provider.credentials',
      'provider.credentials',
      'provider.placeholder',
      'secret.short',
      'url.invalid',
    ])
    expect(idsOf(findings, 'warning')).to.deep.equal(['env.misspelt'])
  })

  it('reports no consequences of a rejected option', async () => {
    const config = { adapter: { createUser: 1 }, session: { strategy: 'database' as const } }
    const findings = await findingsOf({ config: config as never })
    expect(alarms(findings)).to.have.length(1)
    expect(alarms(findings)[0]).to.match(/^failure (?:adapter\.methods|config\.invalid): /)
  })

  it('checks a provider that is valid beside one that is not', async () => {
    const issuer = `https://127.0.0.1:${await freePort()}`
    const auth = `import { defineAuth } from 'server-auth'
      export const auth = defineAuth({ providers: [
        { id: 'acme', name: 'Acme', type: 'oidc', issuer: '${issuer}', clientId: 'x', clientSecret: 'y7Q-3kd8' },
        { id: 'other', name: 'Other', type: 'oidc' },
      ] })`
    const findings = await look(auth, { AUTH_SECRET: goodSecret, AUTH_URL: 'https://app.example.com' })
    expect(idsOf(findings, 'failure').toSorted()).to.deep.equal(['provider.credentials', 'provider.unreachable'])
  })

  it('finds the configuration of initAuth, which is not exported', async () => {
    const auth = `import initAuth from 'server-auth/shim'
      import Keycloak from 'server-auth/providers/keycloak'
      const providers = [Keycloak({ issuer: 'https://sso.example.com/realms/x', clientId: 'app', clientSecret: 'y7Q-3kd8' })]
      export const { handlers } = initAuth({ providers })`
    const env = { AUTH_SECRET: goodSecret, AUTH_URL: 'https://app.example.com' }
    const findings = await look(auth, env, '--offline')
    expect(alarms(findings)).to.deep.equal([])
    expect(idsOf(findings, 'ok')).to.include('config.loads')
  })
})

describe('npx server-auth doctor --url, where the application sees http', function () {
  this.slow(5000)
  let app: TestApp | undefined
  let proxy: LoopbackServer | undefined
  afterEach(async () => {
    await proxy?.close()
    await app?.close()
  })

  /** Starts a proxy with TLS, and returns the message of the doctor. @param change Changes the headers of requests. */
  async function messageBehind(
    change: (headers: IncomingHttpHeaders) => IncomingHttpHeaders,
    trustProxy: number | false,
  ): Promise<string> {
    await withEnv({ AUTH_TRUST_HOST: 'true', AUTH_URL: undefined }, async () => {
      app = await startApp({ secret: goodSecret }, { trustProxy })
    })
    const listener: RequestListener = (incoming, outgoing) => {
      const url = new URL(incoming.url ?? '/', app?.origin)
      const sent = send(url, { method: incoming.method, headers: change(incoming.headers) }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(sent)
    }
    proxy = await startLoopbackServer(listener, { host: 'localhost', tls: true })
    const { origin } = proxy
    const env = { AUTH_SECRET: goodSecret, AUTH_TRUST_HOST: 'true', AUTH_URL: undefined }
    const auth = `import Credentials from 'server-auth/providers/credentials'
      export const config = { providers: [Credentials({ authorize: () => null })] }`
    const variables = { ...env, NODE_EXTRA_CA_CERTS: writeCertificate(folder).ca }
    const found = alarms(await look(auth, variables, '--url', origin))
    return found.filter((each) => each.startsWith('failure site.origin')).join()
  }

  it('names a proxy that does not send X-Forwarded-Proto, if the application trusts it', async () => {
    const message = await messageBehind((headers) => headers, 1)
    expect(message).to.contain('the proxy does not send X-Forwarded-Proto').and.not.contain("'trust proxy'")
  })

  it('names a proxy that sends the wrong X-Forwarded-Proto', async () => {
    const message = await messageBehind((headers) => ({ ...headers, 'x-forwarded-proto': 'http' }), 1)
    expect(message).to.contain('the proxy sends `X-Forwarded-Proto: http`').and.not.contain("'trust proxy'")
  })

  it('names both causes if neither is visible from outside', async () => {
    const message = await messageBehind((headers) => ({ ...headers, 'x-forwarded-proto': 'https' }), false)
    expect(message).to.match(/Either the proxy does not send .*or the application does not trust the proxy/)
  })
})
