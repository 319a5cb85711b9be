/** `npx server-auth doctor`: runs the checks in the order of these tables, and prints the findings. */
import { loadEnvironmentFile } from '../../base/env.js'
import { parseUrl } from '../../base/url.js'
import { type CommandResult, readArguments, UsageError } from '../terminal.js'
import { createDoctorContext, type DoctorContext, hasValidConfiguration, type ValidDoctorContext } from './context.js'
import { type Finding, failure, reasonText, skipped } from './finding.js'
import { findFile, loadConfiguration } from './load.js'
import { checkLoaded, checkNode, checkPackages, checkVariables } from './offline/environment.js'
import { checkAdapter, checkProcesses, checkProviders } from './offline/features.js'
import { checkRejections, checkSecrets, checkWarnings } from './offline/rejections.js'
import { checkCookies, checkRedirects, checkUrl } from './offline/site.js'
import { checkMail } from './online/mail.js'
import { checkDiscovery } from './online/providers.js'
import { checkStores } from './online/stores.js'
import { registrationsOf, reportJson, reportText, withoutReportSecrets } from './report.js'
import { checkSite } from './site/checks.js'
import { checkCertificate } from './site/find-routes.js'

type Check<S extends DoctorContext> = (scene: S) => readonly Finding[] | Promise<readonly Finding[]>

/** The checks that need no valid configuration. */
const basicChecks: ReadonlyArray<Check<DoctorContext>> = [
  checkNode,
  checkLoaded,
  checkRejections,
  checkVariables,
  checkPackages,
  checkSecrets,
  checkWarnings,
]

/** The checks that need no network. */
const offlineChecks: ReadonlyArray<Check<ValidDoctorContext>> = [
  checkUrl,
  checkCookies,
  checkAdapter,
  checkProviders,
  checkProcesses,
  checkRedirects,
]

/** The checks that use the network and databases. */
const onlineChecks: ReadonlyArray<Check<ValidDoctorContext>> = [checkDiscovery, checkMail, checkStores]

/** The checks of a running site. */
const siteChecks: ReadonlyArray<Check<ValidDoctorContext>> = [checkSite, checkCertificate]

/** Runs the command. */
export async function runDoctor(args: readonly string[]): Promise<CommandResult> {
  const { switches, values, rest } = readArguments(args, ['offline', 'json'], ['config', 'url', 'env'])
  if (rest.length > 0) throw new UsageError('The file with the configuration goes with --config.')
  const envFile = values.get('env')
  if (envFile !== undefined) loadVariables(envFile)
  const url = readUrl(values.get('url'))
  const file = findFile(values.get('config'))
  const isJson = switches.has('json')
  try {
    const scene = createDoctorContext(await loadConfiguration(file), { file, url })
    const findings = await runChecks(scene, switches.has('offline'))
    const report = withoutReportSecrets({ findings, register: registrationsOf(scene) }, scene)
    const failed = findings.some(({ level }) => level === 'failure')
    return { text: isJson ? reportJson(report) : reportText(report), exitCode: failed ? 1 : 0 }
  } catch (error) {
    // It is not thrown, because a partly loaded application would keep the process alive.
    const reason = reasonText(error)
    if (!isJson) return { text: reason, exitCode: 2, isError: true }
    return { text: JSON.stringify({ version: 1, ok: false, error: reason }, undefined, 2), exitCode: 2 }
  }
}

function loadVariables(file: string): void {
  try {
    loadEnvironmentFile(file)
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${reasonText(error)}`)
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

/**
 * Runs all checks that are possible, concurrently. A check that throws becomes a finding, and the others continue. A
 * rejected part of the configuration does not prevent the checks of the others.
 */
export async function runChecks(scene: DoctorContext, isOffline: boolean): Promise<Finding[]> {
  const basic = runAll(basicChecks, scene)
  if (!hasValidConfiguration(scene)) return basic
  const groups = [basic, runAll(offlineChecks, scene)]
  const offline = 'With --offline no provider, mail server, database or site is checked.'
  if (isOffline) return [...(await Promise.all(groups)).flat(), skipped('online', offline)]
  groups.push(runAll(onlineChecks, scene))
  if (scene.url) groups.push(runAll(siteChecks, scene))
  const findings = (await Promise.all(groups)).flat()
  return scene.url
    ? findings
    : [...findings, skipped('site', 'No running site was checked. Pass --url https://app.example.com.')]
}

async function runAll<S extends DoctorContext>(checks: ReadonlyArray<Check<S>>, scene: S): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      try {
        return await check(scene)
      } catch (error) {
        return [
          failure(
            'doctor.broken',
            `A check of the doctor itself broke (${check.name}): ${reasonText(error)}. The others were made.`,
          ),
        ]
      }
    }),
  )
  return found.flat()
}
