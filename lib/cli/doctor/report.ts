/** Prints findings as text and as JSON, without secrets. */
import { isRecord } from '../../base/guards.js'
import { urlsToRegister } from '../../http/urls.js'
import { type DoctorContext, hasValidConfiguration, siteUrls } from './context.js'
import { type Finding, type Level, withoutValues } from './finding.js'

/** The URLs to register at one provider. */
export interface Registration {
  readonly provider: string
  readonly callback: string
  /** Present if sign-outs are sent to the provider, or by it. */
  readonly postLogout?: string
  readonly backchannelLogout?: string
  readonly frontchannelLogout?: string
}

/** All findings, and the URLs to register. */
export interface Report {
  readonly findings: readonly Finding[]
  readonly register: readonly Registration[]
}

/** Returns the URLs to register, of all providers that need some. */
export function registrationsOf(scene: DoctorContext): Registration[] {
  const urls = hasValidConfiguration(scene) ? siteUrls(scene) : undefined
  if (!hasValidConfiguration(scene) || !urls) return []
  return [...scene.resolved.providers.values()].flatMap((provider) => {
    if (provider.kind !== 'oauth') return []
    const { id, logout, redirectProxyUrl, type } = provider
    const { callback, postLogout, backchannelLogout, frontchannelLogout } = urlsToRegister(urls, id)
    return {
      provider: id,
      callback: redirectProxyUrl === undefined ? callback : `${redirectProxyUrl}/callback/${id}`,
      ...(type === 'oidc' && logout.rpInitiated !== 'never' && { postLogout }),
      ...(logout.backchannel && { backchannelLogout }),
      ...(logout.frontchannel && { frontchannelLogout }),
    }
  })
}

const levelLabels: Readonly<Record<Level, string>> = {
  failure: 'FAIL',
  warning: 'warn',
  note: 'note',
  skipped: 'skip',
  ok: 'ok  ',
}

/** Returns one line for each finding, the most severe last, where users look first; then the URLs. */
export function reportText({ findings, register }: Report): string {
  const levels: readonly Level[] = ['ok', 'note', 'skipped', 'warning', 'failure']
  const lines = levels.flatMap((level) =>
    findings
      .filter((each) => each.level === level)
      .map(({ id, message }) => `${levelLabels[level]}  ${id.padEnd(22)} ${message}`),
  )
  const urls = register.flatMap(({ provider, ...each }) => [
    `  ${provider}`,
    ...Object.entries(each).map(([name, url]) => `    ${urlNames[name]?.padEnd(30) ?? name}${url}`),
  ])
  const list = urls.length > 0 ? ['', 'To register at the providers:', ...urls] : []
  return [...lines, ...list, '', summary(findings)].join('\n')
}

const urlNames: Readonly<Record<string, string>> = {
  callback: 'Redirect URI (callback URL)',
  postLogout: 'Post-logout redirect URI',
  backchannelLogout: 'Back-channel logout URL',
  frontchannelLogout: 'Front-channel logout URL',
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Level, word: string) => {
    const { length } = findings.filter((each) => each.level === level)
    return `${length} ${word}${length === 1 ? '' : 's'}`
  }
  return `${count('failure', 'failure')}, ${count('warning', 'warning')}`
}

/** Returns the report for scripts. The ids stay the same; fields may be added. */
export function reportJson({ findings, register }: Report): string {
  const failed = findings.some(({ level }) => level === 'failure')
  return JSON.stringify({ version: 1, ok: !failed, findings, register }, undefined, 2)
}

/** Removes the secrets of the environment and of the configuration, which foreign messages may repeat. */
export function withoutReportSecrets(report: Report, scene: DoctorContext): Report {
  const own = secretsIn(scene)
  return {
    findings: report.findings.map((finding) => ({ ...finding, message: withoutValues(finding.message, own) })),
    register: report.register,
  }
}

function secretsIn({ config, resolved }: DoctorContext): string[] {
  const own: readonly unknown[] = [config?.secret].flat()
  const ofProviders = [...(resolved?.providers.values() ?? [])].flatMap((provider): unknown[] => {
    if (provider.kind === 'oauth') {
      const made = Object.getOwnPropertyDescriptor(provider, 'clientSecret')?.value
      return [made]
    }
    if (provider.kind !== 'email') return []
    return [provider.config.apiKey, ...passwordsIn(provider.config.server)]
  })
  const raw = (config?.providers ?? []).flatMap((entry: unknown) => {
    const options = isRecord(entry) && isRecord(entry.options) ? entry.options : {}
    return isRecord(entry) ? [entry.clientSecret, options.clientSecret, entry.apiKey, options.apiKey] : []
  })
  return [...own, ...ofProviders, ...raw].filter((each) => typeof each === 'string')
}

/** Returns the password of an SMTP URL, encoded and decoded; or that of nodemailer's options. */
function passwordsIn(server: unknown): unknown[] {
  if (typeof server === 'string' && URL.canParse(server)) {
    const { password } = new URL(server)
    return [password, decoded(password)]
  }
  return isRecord(server) && isRecord(server.auth) ? [server.auth.pass] : []
}

/** Decodes a text. Another check reports an invalid percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
