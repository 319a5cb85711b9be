/** `npx server-auth doctor`: runs the checks in the order of these tables, and prints the findings. */
import { loadEnvironmentFile } from '../../base/env.js'
import { parseUrl } from '../../base/url.js'
import { type Outcome, readArguments, UsageError } from '../terminal.js'
import { type Finding, failure, reasonOf, skipped } from './finding.js'
import { findFile, loadConfiguration } from './load.js'
import { checkLoaded, checkNode, checkPackages, checkVariables } from './offline/environment.js'
import { checkAdapter, checkProcesses, checkProviders } from './offline/features.js'
import { checkRefusal, checkSecrets, checkWarnings } from './offline/refusals.js'
import { checkCookies, checkRedirects, checkUrl } from './offline/site.js'
import { checkMail } from './online/mail.js'
import { checkDiscovery } from './online/providers.js'
import { checkStores } from './online/stores.js'
import { registrationsOf, toJson, toText, withoutSecrets } from './report.js'
import { createScene, isWorking, type Scene, type WorkingScene } from './scene.js'
import { checkSite } from './site/checks.js'
import { checkCertificate } from './site/find.js'

type Check<S extends Scene> = (scene: S) => readonly Finding[] | Promise<readonly Finding[]>

/** The checks that need no valid configuration. */
const always: ReadonlyArray<Check<Scene>> = [
  checkNode,
  checkLoaded,
  checkRefusal,
  checkVariables,
  checkPackages,
  checkSecrets,
  checkWarnings,
]

/** The checks that need no network. */
const offline: ReadonlyArray<Check<WorkingScene>> = [
  checkUrl,
  checkCookies,
  checkAdapter,
  checkProviders,
  checkProcesses,
  checkRedirects,
]

/** The checks that use the network and databases. */
const online: ReadonlyArray<Check<WorkingScene>> = [checkDiscovery, checkMail, checkStores]

/** The checks of a running site. */
const site: ReadonlyArray<Check<WorkingScene>> = [checkSite, checkCertificate]

/** Runs the command. */
export async function runDoctor(args: readonly string[]): Promise<Outcome> {
  const { switches, values, rest } = readArguments(args, ['offline', 'json'], ['config', 'url', 'env'])
  if (rest.length > 0) throw new UsageError('The file with the configuration goes with --config.')
  const envFile = values.get('env')
  if (envFile !== undefined) loadVariables(envFile)
  const url = readUrl(values.get('url'))
  const file = findFile(values.get('config'))
  const isJson = switches.has('json')
  try {
    const scene = createScene(await loadConfiguration(file), { file, url })
    const findings = await examine(scene, switches.has('offline'))
    const report = withoutSecrets({ findings, register: registrationsOf(scene) }, scene)
    const failed = findings.some(({ level }) => level === 'failure')
    return { text: isJson ? toJson(report) : toText(report), exitCode: failed ? 1 : 0 }
  } catch (error) {
    // It is not thrown, because a partly loaded application would keep the process alive.
    const reason = reasonOf(error)
    if (!isJson) return { text: reason, exitCode: 2, isComplaint: true }
    return { text: JSON.stringify({ version: 1, ok: false, error: reason }, undefined, 2), exitCode: 2 }
  }
}

function loadVariables(file: string): void {
  try {
    loadEnvironmentFile(file)
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${reasonOf(error)}`)
  }
}

function readUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  const url = parseUrl(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) return url
  throw new UsageError(
    `${JSON.stringify(text)} is no URL such as https://app.example.com, or https://app.example.com/auth.`,
  )
}

/** Runs all checks that are possible. A check that throws becomes a finding, and the others continue. */
export async function examine(scene: Scene, isOffline: boolean): Promise<Finding[]> {
  const findings = await runAll(always, scene)
  if (!isWorking(scene)) return findings
  findings.push(...(await runAll(offline, scene)))
  if (isOffline)
    return [...findings, skipped('online', 'With --offline no provider, mail server, database or site is checked.')]
  findings.push(...(await runAll(online, scene)))
  if (scene.url) findings.push(...(await runAll(site, scene)))
  else findings.push(skipped('site', 'No running site was checked. Pass --url https://app.example.com.'))
  return findings
}

async function runAll<S extends Scene>(checks: ReadonlyArray<Check<S>>, scene: S): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      try {
        return await check(scene)
      } catch (error) {
        return [
          failure(
            'doctor.broken',
            `A check of the doctor itself broke (${check.name}): ${reasonOf(error)}. The others were made.`,
          ),
        ]
      }
    }),
  )
  return found.flat()
}
