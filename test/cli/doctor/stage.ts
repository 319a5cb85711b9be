/**
 * The functions that tests of the doctor share: they build a configuration and an environment, and return the findings.
 */

import { createDoctorContext, type DoctorContext } from '../../../lib/cli/doctor/context.js'
import type { Finding, Level } from '../../../lib/cli/doctor/finding.js'
import { runChecks } from '../../../lib/cli/doctor/run.js'
import type { FullStackAuthConfig } from '../../../lib/types/config.js'
import type { OIDCConfig } from '../../../lib/types/provider.js'
import { withEnv } from '../../shim/stage.js'

/** A random secret that is used nowhere else. */
export const goodSecret = 'u7Jq2vXk9TzLr4WcN8mYd1HgBf6PsEa3'

/** Returns a provider that the doctor does not contact while it is offline. */
export const acme = (options: Partial<OIDCConfig> = {}) =>
  ({
    id: 'acme',
    name: 'Acme',
    type: 'oidc',
    issuer: 'https://login.acme.example',
    clientId: 'app',
    clientSecret: 'Zq8-acme-client-secret',
    ...options,
  }) as OIDCConfig

/** The setup that the doctor checks. */
export interface Patient {
  readonly config?: Partial<FullStackAuthConfig>
  /** Variables of the environment, beside `AUTH_SECRET` and `AUTH_URL`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Changes the surroundings of the setup. */
  readonly scene?: (scene: DoctorContext) => DoctorContext
  readonly url?: string
  readonly isOnline?: boolean
}

const usual = {
  AUTH_SECRET: goodSecret,
  AUTH_URL: 'https://app.example.com',
  NODE_ENV: 'production',
  AUTH_TRUST_HOST: undefined,
  DATABASE_URL: undefined,
}

/** Returns the findings of the doctor. */
export async function findingsOf({ config, env, scene, url, isOnline = false }: Patient): Promise<readonly Finding[]> {
  let findings: readonly Finding[] = []
  await withEnv({ ...usual, ...env }, async () => {
    const whole = { providers: [acme()], ...config }
    const made = createDoctorContext(
      { kind: 'config', config: whole, name: 'auth', isFullStack: false, others: [] },
      { url: url === undefined ? undefined : new URL(url) },
    )
    findings = await runChecks(scene ? scene(made) : made, !isOnline)
  })
  return findings
}

/** Returns the failures and warnings among findings: `failure url.http: …`. */
export function alarms(findings: readonly Finding[]): string[] {
  const levels: readonly Level[] = ['failure', 'warning']
  return findings
    .filter(({ level }) => levels.includes(level))
    .map(({ level, id, message }) => `${level} ${id}: ${message}`)
}
