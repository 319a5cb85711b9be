/** Checks of Node.js, the names of environment variables, and optional packages. */
import { environmentName } from '../../../base/env.js'
import { isRecord } from '../../../base/guards.js'
import type { ResolvedProvider } from '../../../contracts/index.js'
import { type DoctorContext, hasValidConfiguration, type ValidDoctorContext } from '../context.js'
import { type Finding, failure, note, ok, warning } from '../finding.js'
import { distance, nearest } from '../spelling.js'
import { isInRange } from '../versions.js'

/** Checks the version of Node.js. */
export function checkNode({ node, own }: DoctorContext): Finding[] {
  if (isInRange(node, own.node)) return [ok('node.version', `Node.js ${node}`)]
  return [
    failure('node.version', `Node.js ${node} is not supported: server-auth needs ${own.node}. Install a newer one.`),
  ]
}

/** Checks for variables that are not read, or that have a wrong value. */
export function checkVariables(scene: DoctorContext): Finding[] {
  const { variables } = scene
  const names = variables.map(({ name }) => name)
  const known = knownNames(scene)
  const findings = names.flatMap(
    (name) => checkOtherLibrary(name, names) ?? checkMisspelt(name, { known, names }) ?? [],
  )
  for (const { name, isQuoted, isPlaceholder } of variables) {
    if (!known.has(name)) continue
    if (isQuoted) findings.push(failure('env.quotes', quotesMessage(name)))
    else if (isPlaceholder) findings.push(failure('env.placeholder', placeholderMessage(name)))
  }
  return findings.length > 0 ? findings : [ok('env.names', 'No environment variable of this library is misspelt.')]
}

const quotesMessage = (name: string) =>
  `The value of ${name} has quotation marks around it, and they are part of it: docker --env-file and Kubernetes keep them. Remove them.`
const placeholderMessage = (name: string) =>
  `${name} contains a placeholder, such as "changeme" or "undefined". Set it to the real one.`

const siteVariables = ['SECRET', 'SECRET_1', 'SECRET_2', 'SECRET_3', 'URL', 'TRUST_HOST', 'REDIRECT_PROXY_URL']
const providerVariables = ['ID', 'SECRET', 'ISSUER', 'KEY']

/** Returns the names that are read, or would be read with another provider. */
function knownNames({ own, config }: DoctorContext): ReadonlySet<string> {
  const ids = [...own.providers, ...configuredIds(config?.providers)]
  const names = ids.flatMap((id) => providerVariables.map((field) => `AUTH_${environmentName(id)}_${field}`))
  return new Set([...siteVariables.map((name) => `AUTH_${name}`), 'LEGACYAUTH_SECRET', 'LEGACYAUTH_URL', ...names])
}

/** Returns the ids of all entries, even if one of them is invalid and the configuration was not resolved. */
function configuredIds(entries: readonly unknown[] = []): string[] {
  return entries.flatMap((entry) => {
    const provider = callEntry(entry)
    if (!isRecord(provider)) return []
    const options = isRecord(provider.options) ? provider.options : {}
    return [options.id, provider.id].filter((id) => typeof id === 'string').slice(0, 1)
  })
}

function callEntry(entry: unknown): unknown {
  if (typeof entry !== 'function') return entry
  try {
    return entry({})
  } catch {
    return undefined
  }
}

/** Returns a finding for a name that another library reads. */
function checkOtherLibrary(name: string, names: readonly string[]): Finding[] | undefined {
  const ours = /^NEXTAUTH_(SECRET|URL)$/.exec(name)?.[1]
  if (ours === undefined || names.includes(`AUTH_${ours}`)) return undefined
  return [warning('env.other-library', `${name} is set, and nothing here reads it. Call it AUTH_${ours}.`)]
}

/** Returns a finding for a name that is similar to an unset one. Short names are similar to too many. */
function checkMisspelt(
  name: string,
  { known, names }: { known: ReadonlySet<string>; names: readonly string[] },
): Finding[] | undefined {
  if (known.has(name)) return undefined
  const upper = name.toUpperCase().replaceAll('-', '_')
  if (distance(upper.slice(0, 5), 'AUTH_') > 2) return undefined
  const open = [...known].filter((each) => !names.includes(each))
  const parts = /^AUTH_(.+)_(?:ID|SECRET|ISSUER|KEY)$/.exec(upper)
  const most = parts && (parts[1] ?? '').length < 5 ? 1 : 2
  const meant = known.has(upper) ? upper : upper.length > 6 ? nearest(upper, open, most) : undefined
  if (meant === undefined) return undefined
  return [warning('env.misspelt', `${name} is set, and nothing reads it. Did you mean ${meant}?`)]
}

/** Checks that optional packages in use are installed, with fitting versions. */
export function checkPackages(scene: DoctorContext): Finding[] {
  const { own, installed } = scene
  const needed = hasValidConfiguration(scene) ? packagesInUse(scene) : new Map<string, string>()
  const findings = Object.entries(own.peers).flatMap(([name, range]): Finding[] => {
    const version = installed(name)
    const use = needed.get(name)
    if (version === undefined) {
      if (use === undefined) return []
      return [failure('package.missing', `The package ${name} is missing, which ${use} needs: npm install ${name}`)]
    }
    if (isInRange(version, range)) return []
    const words = `${name} ${version} is installed, and server-auth works with ${range}: npm install "${name}@${range}"`
    return [use === undefined ? warning('package.version', words) : failure('package.version', words)]
  })
  return findings.length > 0 ? findings : [ok('package.version', 'The optional packages in use are there, and fit.')]
}

/** Returns the feature that needs each package. */
function packagesInUse({ resolved, config }: ValidDoctorContext): Map<string, string> {
  const providers = [...resolved.providers.values()]
  const uses = new Map<string, string>()
  if (providers.some(({ kind }) => kind === 'webauthn')) uses.set('@simplewebauthn/server', 'sign-in with passkeys')
  if (providers.some(isSmtp)) uses.set('nodemailer', 'sign-in by e-mail over SMTP')
  if (providers.some((each) => each.kind === 'oauth' && each.protocol.certificate)) {
    uses.set('undici', 'a client certificate')
  }
  if (isRecord(config.adapter) && 'preset' in config.adapter) uses.set('kysely', 'the SQL adapter')
  return uses
}

function isSmtp(provider: ResolvedProvider): boolean {
  return provider.kind === 'email' && provider.config.server !== undefined
}

/** Reports the export with the configuration. */
export function checkLoaded({ loaded, rejections, env }: DoctorContext): Finding[] {
  if (loaded.kind === 'refused' || rejections.length > 0) return []
  const names = loaded.others.map((name) => `\`${name}\``).join(', ')
  const several = `There are further configurations, which were not looked at: ${names}. Export one alone from a file of its own, and pass --config <file>.`
  return [
    ok('config.loads', `The configuration is \`${loaded.name}\`${env.production ? ', for production' : ''}.`),
    ...(names === '' ? [] : [note('config.several', several)]),
  ]
}
