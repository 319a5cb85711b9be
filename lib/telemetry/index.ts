/** `server-auth/telemetry`: traces and metrics by OpenTelemetry. Of its package only types are used: the application hands over the rest. */
import type { Attributes, Meter, Tracer } from '@opentelemetry/api'
import type { Telemetry, TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

export type { Telemetry, TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

/** Options of {@link openTelemetry}: one of them, or both. */
export interface OpenTelemetryOptions {
  /** Makes spans: `trace.getTracer('server-auth')`. Default: none are made. */
  tracer?: Tracer
  /** Makes the counter and the histogram: `metrics.getMeter('server-auth')`. Default: nothing is measured. */
  meter?: Meter
}

/** `SpanStatusCode.ERROR` of the package, which is not loaded. */
const statusError = 2

/**
 * Tells OpenTelemetry of requests to our routes, of your own calls such as `signIn`, and of tokens that are renewed: a span
 * `auth.<operation>` (`auth.signin`, `auth.callback`, `auth.refresh` …), the counter `auth.operations` and the histogram
 * `auth.operation.duration` in seconds. Their attributes are `auth.operation`, `auth.provider`, `auth.result` and, of what did not
 * succeed, `error.type`: no user, no address, no URL, and no message of an error.
 *
 * Register the SDK before: a meter that was taken earlier counts nothing.
 *
 * @throws {TypeError} With neither `tracer` nor `meter`, or where one of them is something else.
 * @example
 * ```ts
 * import { metrics, trace } from '@opentelemetry/api'
 *
 * const telemetry = openTelemetry({ tracer: trace.getTracer('server-auth'), meter: metrics.getMeter('server-auth') })
 * const config = { providers: [Google], telemetry }
 * ```
 */
export function openTelemetry({ tracer, meter }: OpenTelemetryOptions): Telemetry {
  assertHas('tracer', tracer, 'startActiveSpan')
  assertHas('meter', meter, 'createCounter')
  if (!tracer && !meter) throw new TypeError('openTelemetry: pass a `tracer`, a `meter`, or both.')
  const measure = meter && measureWith(meter)
  return {
    observe(operation, run) {
      const measured = measure ? () => measure(operation, run) : run
      const told = tracer ? inSpan(tracer, operation, measured) : measured()
      // An exporter's fault is nobody's unhandled rejection.
      told.catch(() => {})
    },
  }
}

/** The span is active while the work goes on: those of the database and of requests to the provider are its children. */
function inSpan(
  tracer: Tracer,
  operation: TelemetryOperation,
  run: () => Promise<TelemetryOutcome>,
): Promise<TelemetryOutcome> {
  return tracer.startActiveSpan(`auth.${operation.name}`, { attributes: attributesOf(operation) }, async (span) => {
    const outcome = await run()
    span.setAttributes(resultOf(outcome))
    // A person who mistypes a password is no fault of the server.
    if (outcome.result === 'failure') span.setStatus({ code: statusError })
    span.end()
    return outcome
  })
}

function measureWith(meter: Meter) {
  const count = meter.createCounter('auth.operations', {
    unit: '{operation}',
    description: 'Requests to the authentication routes, calls of the application, and refreshes, by what they came to',
  })
  const duration = meter.createHistogram('auth.operation.duration', {
    unit: 's',
    description: 'How long they took',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })
  return async (operation: TelemetryOperation, run: () => Promise<TelemetryOutcome>): Promise<TelemetryOutcome> => {
    const begun = performance.now()
    const outcome = await run()
    const attributes = { ...attributesOf(operation), ...resultOf(outcome) }
    count.add(1, attributes)
    duration.record((performance.now() - begun) / 1000, attributes)
    return outcome
  }
}

function attributesOf({ name, provider }: TelemetryOperation): Attributes {
  return { 'auth.operation': name, ...(provider !== undefined && { 'auth.provider': provider }) }
}

/** An error that is none of ours has no type: `_OTHER`, as OpenTelemetry calls it. */
function resultOf({ result, errorType }: TelemetryOutcome): Attributes {
  return { 'auth.result': result, ...(result !== 'success' && { 'error.type': errorType ?? '_OTHER' }) }
}

function assertHas(name: string, value: unknown, method: string): void {
  if (value === undefined || typeof Reflect.get(Object(value), method) === 'function') return
  throw new TypeError(`openTelemetry: \`${name}\` has no method \`${method}\`.`)
}
