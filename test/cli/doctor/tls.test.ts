/** The command, as a process, at a site behind nginx and Caddy that speak TLS. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Finding } from '../../../lib/cli/doctor/finding.js'
import { withEnv } from '../../shim/stage.js'
import { startApp, type TestApp } from '../../support/app.js'
import { missingCaddy, startCaddy } from '../../support/caddy.js'
import { writeCertificate } from '../../support/certificates.js'
import { compileScript } from '../../support/child-script.js'
import { missingNginx, startNginx } from '../../support/nginx.js'
import { skip } from '../../support/skip.js'
import { alarms, goodSecret } from './stage.js'

const program = await compileScript('lib/cli/index.ts')
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))

const proxies = {
  nginx: { missing: missingNginx, start: startNginx },
  Caddy: { missing: missingCaddy, start: startCaddy },
}

for (const [name, { missing, start }] of Object.entries(proxies)) {
  describe(`npx server-auth doctor --url, behind ${name} over TLS`, function () {
    this.slow(3000)
    let folder = ''
    let ca = ''
    let app: TestApp | undefined
    let proxy: { readonly origin: string; close(): Promise<void> } | undefined
    before(function () {
      const why = missing()
      if (why !== undefined) skip(this, why)
      mkdirSync(cache, { recursive: true })
      folder = mkdtempSync(join(cache, 'doctor-tls-'))
      ca = writeCertificate(folder).ca
      writeFileSync(
        join(folder, 'auth.js'),
        `import Credentials from 'server-auth/providers/credentials'
         export const config = { providers: [Credentials({ authorize: () => null })] }`,
      )
    })
    after(() => folder && rmSync(folder, { recursive: true }))
    afterEach(async () => {
      await proxy?.close()
      await app?.close()
    })

    async function open(trustProxy: number | false): Promise<string> {
      await withEnv({ AUTH_TRUST_HOST: 'true', AUTH_URL: undefined }, async () => {
        app = await startApp({ secret: goodSecret }, { trustProxy })
      })
      proxy = await start(app?.origin ?? '', true)
      return proxy.origin
    }

    function look(url: string, env: Record<string, string> = {}): Promise<{ exitCode: unknown; findings: Finding[] }> {
      const { AUTH_URL, ...inherited } = process.env
      const given = { AUTH_SECRET: goodSecret, AUTH_TRUST_HOST: 'true', ...env }
      return new Promise((resolve) => {
        const options = { cwd: folder, env: { ...inherited, ...given } }
        execFile(process.execPath, [program, 'doctor', '--json', '--url', url], options, (error, stdout) =>
          resolve({ exitCode: error ? error.code : 0, findings: JSON.parse(stdout).findings }),
        )
      })
    }

    it('reports nothing if the proxy is trusted', async () => {
      const { exitCode, findings } = await look(await open(1), { NODE_EXTRA_CA_CERTS: ca })
      expect(alarms(findings)).to.deep.equal([])
      expect(exitCode).to.equal(0)
      expect(findings.map(({ id, level }) => `${level} ${id}`)).to.include.members([
        'ok site.probe',
        'ok site.certificate',
      ])
    })

    it('reports a proxy that is not trusted', async () => {
      const { exitCode, findings } = await look(await open(false), { NODE_EXTRA_CA_CERTS: ca })
      expect(exitCode).to.equal(1)
      expect(alarms(findings)).to.have.length(1)
      expect(alarms(findings)[0]).to.match(/^failure site\.origin: .*uses http:.*'trust proxy', 1/)
    })

    it('reports an unknown certificate', async () => {
      const { exitCode, findings } = await look(await open(1))
      expect(exitCode).to.equal(1)
      expect(alarms(findings)[0]).to.match(/^failure site\.tls: .*NODE_EXTRA_CA_CERTS|whole chain/)
    })
  })
}
