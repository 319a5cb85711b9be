/** How findings are printed: for people, and as JSON. Nothing secret gets past here. */
import { isRecord } from '../../base/guards.js'
import { urlsToRegister } from '../../http/urls.js'
import { type Finding, type Level, withoutValues } from './finding.js'
import { isWorking, type Scene, urlsOf } from './scene.js'

/** What is registered at one provider. */
export interface Registration {
  readonly provider: string
  readonly callback: string
  /** Present where sign-outs are told to the provider, or by it. */
  readonly postLogout?: string
  readonly backchannelLogout?: string
  readonly frontchannelLogout?: string
}

/** All that was found. */
export interface Report {
  readonly findings: readonly Finding[]
  readonly register: readonly Registration[]
}

/** The URLs to register, of all providers that ask for some. */
export function registrationsOf(scene: Scene): Registration[] {
  const urls = isWorking(scene) ? urlsOf(scene) : undefined
  if (!isWorking(scene) || !urls) return []
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

const marks: Readonly<Record<Level, string>> = {
  failure: 'FAIL',
  warning: 'warn',
  note: 'note',
  skipped: 'skip',
  ok: 'ok  ',
}

/** One line for each finding, the gravest last, where people look first; then the URLs. */
export function toText({ findings, register }: Report): string {
  const levels: readonly Level[] = ['ok', 'note', 'skipped', 'warning', 'failure']
  const lines = levels.flatMap((level) =>
    findings
      .filter((each) => each.level === level)
      .map(({ id, message }) => `${marks[level]}  ${id.padEnd(22)} ${message}`),
  )
  const urls = register.flatMap(({ provider, ...each }) => [
    `  ${provider}`,
    ...Object.entries(each).map(([name, url]) => `    ${names[name]?.padEnd(30) ?? name}${url}`),
  ])
  const list = urls.length > 0 ? ['', 'To register at the providers:', ...urls] : []
  return [...lines, ...list, '', summary(findings)].join('\n')
}

const names: Readonly<Record<string, string>> = {
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

/** For programs. The ids stay the same; fields may come. */
export function toJson({ findings, register }: Report): string {
  const failed = findings.some(({ level }) => level === 'failure')
  return JSON.stringify({ version: 1, ok: !failed, findings, register }, undefined, 2)
}

/** Takes out what must not be printed, should a message of others repeat it: secrets of the environment and of the configuration. */
export function withoutSecrets(report: Report, scene: Scene): Report {
  const own = secretsIn(scene)
  return {
    findings: report.findings.map((finding) => ({ ...finding, message: withoutValues(finding.message, own) })),
    register: report.register,
  }
}

function secretsIn({ config, resolved }: Scene): string[] {
  const own: readonly unknown[] = [config?.secret].flat()
  const ofProviders = [...(resolved?.providers.values() ?? [])].flatMap((provider): unknown[] => {
    if (provider.kind === 'oauth') {
      const made = Object.getOwnPropertyDescriptor(provider, 'clientSecret')?.value
      return [made]
    }
    if (provider.kind !== 'email') return []
    return [provider.source.apiKey, ...passwordsIn(provider.source.server)]
  })
  const raw = (config?.providers ?? []).flatMap((entry: unknown) => {
    const options = isRecord(entry) && isRecord(entry.options) ? entry.options : {}
    return isRecord(entry) ? [entry.clientSecret, options.clientSecret, entry.apiKey, options.apiKey] : []
  })
  return [...own, ...ofProviders, ...raw].filter((each) => typeof each === 'string')
}

/** The password of an SMTP URL, as it stands there and as it is meant; or that of nodemailer's options. */
function passwordsIn(server: unknown): unknown[] {
  if (typeof server === 'string' && URL.canParse(server)) {
    const { password } = new URL(server)
    return [password, decoded(password)]
  }
  return isRecord(server) && isRecord(server.auth) ? [server.auth.pass] : []
}

/** A percent sign that stands for itself is a mistake that somebody else is told of. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
