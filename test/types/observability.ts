/** Type tests: telemetry and the audit log. Compiled, never run. */
import type { Meter, Tracer } from '@opentelemetry/api'
import type { Kysely } from 'kysely'
import { type AuditEntry, type AuditLog, auditLog, readAudit } from '../../lib/audit/index.js'
import { defineAuth, type EventCallbacks, type Telemetry } from '../../lib/index.js'
import { openTelemetry } from '../../lib/telemetry/index.js'
import initAuth from '../../shim/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

declare const db: Kysely<{ mine: { id: string } }>
declare const tracer: Tracer
declare const meter: Meter

export function telemetry(): void {
  const made = openTelemetry({ tracer, meter })
  assertType<Equal<typeof made, Telemetry>>()
  defineAuth({ providers: [], telemetry: made })
  initAuth({ providers: [], telemetry: openTelemetry({ meter }) })
  const own: Telemetry = { observe: (_operation, run) => void run().then(({ result }) => result === 'refused') }
  defineAuth({ providers: [], telemetry: own })
  // @ts-expect-error: the instruments go into openTelemetry
  defineAuth({ providers: [], telemetry: { tracer, meter } })
  // @ts-expect-error: a meter is no tracer
  openTelemetry({ tracer: meter })
}

export async function audit(): Promise<void> {
  const log = auditLog(db, { retention: 30, wait: 0.5 })
  assertType<Equal<typeof log, AuditLog>>()
  // All events but the reads of sessions, and the question before a deletion.
  assertType<Equal<keyof typeof log.events, Exclude<keyof EventCallbacks, 'session' | 'beforeDeleteUser'>>>()
  defineAuth({ providers: [], events: log.events })
  defineAuth({ providers: [], events: { ...log.events, signIn: (message) => log.events.signIn(message) } })
  const [entry] = await readAudit(db, { type: 'signIn', since: new Date(), limit: 10 })
  assertType<Equal<typeof entry, AuditEntry | undefined>>()
  assertType<Equal<AuditEntry['at'], Date>>()
  // @ts-expect-error: no event of that name
  await readAudit(db, { type: 'signin' })
  // @ts-expect-error: days are a number
  auditLog(db, { retention: '30 days' })
}
