/** Checks of the databases behind the adapter and the other stores. */
import { isRecord } from '../../../base/guards.js'
import { withTimeout } from '../../../base/timeout.js'
import { factorsTable } from '../../../features/factors/description.js'
import { providerTokensTable } from '../../../features/tokens/description.js'
import type { RecordTable, StoreInspection } from '../../../types/store.js'
import type { ValidDoctorContext } from '../context.js'
import { type Finding, failure, ok, reasonText, warning } from '../finding.js'
import { formatSkew } from './network.js'

/** Checks the adapter, and the stores in the options. */
export async function checkStores(scene: ValidDoctorContext): Promise<Finding[]> {
  const { config } = scene
  const { adapter } = config
  const revocation: unknown = config.session?.revocation
  const places: ReadonlyArray<[name: string, store: unknown]> = [
    ['adapter', adapter],
    ['session.revocation', isRecord(revocation) && 'store' in revocation ? revocation.store : revocation],
    ['tokens.store', config.tokens?.store],
    ['factors.store', isRecord(config.factors) && 'store' in config.factors ? config.factors.store : undefined],
    ['rateLimit.store', isRecord(config.rateLimit) ? config.rateLimit.store : undefined],
  ]
  const found = await Promise.all(places.map(([name, store]) => checkStore(name, store, scene)))
  return found.flat()
}

async function checkStore(name: string, store: unknown, scene: ValidDoctorContext): Promise<Finding[]> {
  if (!isRecord(store)) return []
  try {
    const inspections = await withTimeout(inspectStore(name, store), scene.resolved.timeout, 'its answer')
    const findings = inspections.flatMap((each) => storeFindings(name, each, scene))
    return findings.length > 0
      ? findings
      : [ok('store.reach', `\`${name}\`: ${kindsOf(inspections)} answers, and is as it should be.`)]
  } catch (error) {
    return [
      failure(
        'store.reach',
        `\`${name}\`: the database cannot be asked: ${reasonText(error)}. Is it running, and is its URL right?`,
      ),
    ]
  }
}

function kindsOf(inspections: readonly StoreInspection[]): string {
  return inspections.map(({ kind }) => kind).join(', ') || 'the database'
}

/** The table that is read from an option's store. */
const tables: Readonly<Record<string, RecordTable>> = {
  'tokens.store': providerTokensTable,
  'factors.store': factorsTable,
}

/** Inspects the store, or at least reads from it. */
async function inspectStore(
  name: string,
  store: Readonly<Record<string, unknown>>,
): Promise<readonly StoreInspection[]> {
  const call = methodCaller(store)
  const said = await call('inspect')
  const inspections: readonly StoreInspection[] = Array.isArray(said) ? said : []
  // Reads would fail for the same reason, with a less helpful message.
  if (inspections.some(({ due = [] }) => due.length > 0)) return inspections
  // A read that finds no user. Other adapters have no `inspect`.
  if (name === 'adapter') await call('getUserByEmail', 'nobody@server-auth.invalid')
  if (name === 'session.revocation') await methodCaller(store.log)('find', ['server-auth-doctor'])
  const table = tables[name]
  if (table) await methodCaller(store.records)('list', table, 'server-auth-doctor')
  return inspections
}

/** Returns a function that calls a method, if there is one. */
function methodCaller(owner: unknown) {
  return (method: string, ...args: unknown[]): unknown =>
    isRecord(owner) && typeof owner[method] === 'function' ? Reflect.apply(owner[method], owner, args) : undefined
}

function storeFindings(
  name: string,
  { kind, due = [], missing = [], inexact = [], ...rest }: StoreInspection,
  scene: ValidDoctorContext,
): Finding[] {
  const findings: Finding[] = []
  const what = `\`${name}\` (${kind})`
  if (due.length > 0) {
    findings.push(
      failure('store.migrations', `${what}: migrations are due: ${due.join(', ')}. Run \`npx server-auth migrate\`.`),
    )
  }
  if (missing.length > 0) {
    findings.push(
      failure(
        'store.columns',
        `${what}: columns are missing: ${missing.join(', ')}. Add them (\`npx server-auth migrate --config <file>\` adds fields of \`user\`), or choose the \`preset\` that fits your tables.`,
      ),
    )
  }
  if (inexact.length > 0) {
    findings.push(
      warning(
        'store.collation',
        `${what}: these columns take texts for the same that differ, such as A and a: ${inexact.join(', ')}. Give them a binary or case-sensitive collation.`,
      ),
    )
  }
  if (rest.evicts !== undefined) {
    findings.push(
      failure(
        'store.eviction',
        `${what} throws records away when memory is short (maxmemory-policy ${rest.evicts}). Set \`maxmemory-policy noeviction\`.`,
      ),
    )
  }
  // Lost counts start again at zero.
  const isVolatile = rest.isVolatile && name !== 'rateLimit.store'
  if (isVolatile && kind === 'memory') {
    if (scene.env.production)
      findings.push(
        warning(
          'store.memory',
          `${what} keeps everything in the memory of one process, and loses it when that ends. Use a database.`,
        ),
      )
  } else if (isVolatile) {
    findings.push(warning('store.volatile', `${what} has nothing left after it starts again. Set \`appendonly yes\`.`))
  }
  const skew = rest.now === undefined ? 0 : Math.round((rest.now - Date.now()) / 1000)
  if (Math.abs(skew) > 5) {
    findings.push(
      warning('store.clock', `${what}: its clock is ${formatSkew(skew)} that of this machine. Let both be set by NTP.`),
    )
  }
  return findings
}
