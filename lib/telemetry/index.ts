/**
 * `server-auth/telemetry`: traces and metrics with OpenTelemetry. Only types of its package are imported; the
 * application passes the objects.
 */
import type { Attributes, Meter, Tracer } from '@opentelemetry/api'
import type { Telemetry, TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

export type { Telemetry, TelemetryOperation, TelemetryOutcome } from '../types/telemetry.js'

/** Options of {@link openTelemetry}: one of them, or both. */
export interface OpenTelemetryOptions {
  /** Creates spans: `trace.getTracer('server-auth')`. Default: no spans. */
  tracer?: Tracer
  /** Creates the counter and the histogram: `metrics.getMeter('server-auth')`. Default: no metrics. */
  meter?: Meter
}

/** The value of `SpanStatusCode.ERROR`; the package is not loaded. */
const statusError = 2

/**
 * Reports requests to our routes, your own calls such as `signIn`, and token refreshes to OpenTelemetry: a span
 * `auth.<operation>` (`auth.signin`, `auth.callback`, `auth.refresh` …), the counter `auth.operations` and the
 * histogram `auth.operation.duration` in seconds. Their attributes are `auth.operation`, `auth.provider`, `auth.result`
 * and, without success, `error.type`. They contain no user, email address, URL or error message.
 *
 * Register the SDK first: a meter that was created earlier records nothing.
 *
 * @throws {TypeError} Without `tracer` and `meter`, or if one of them is invalid.
 * @example
 * ```ts
 * import { metrics, trace } from '@opentelemetry/api'
 *
 * const telemetry = openTelemetry({ tracer: trace.getTracer('server-auth'), meter: metrics.getMeter('server-auth') })
 * const config = { providers: [Google], telemetry }
 * ```
 */
export function openTelemetry({ tracer, meter }: OpenTelemetryOptions): Telemetry {
  assertHasMethod('tracer', tracer, 'startActiveSpan')
  assertHasMethod('meter', meter, 'createCounter')
  if (!tracer && !meter) throw new TypeError('openTelemetry: pass a `tracer`, a `meter`, or both.')
  const measure = meter && measureWith(meter)
  return {
    observe(operation, run) {
      const measured = measure ? () => measure(operation, run) : run
      const outcome = tracer ? inSpan(tracer, operation, measured) : measured()
      // A failing exporter must not cause an unhandled rejection.
      outcome.catch(() => {})
    },
  }
}

/** Runs the work in an active span, so that spans of the database and of provider requests are its children. */
function inSpan(
  tracer: Tracer,
  operation: TelemetryOperation,
  run: () => Promise<TelemetryOutcome>,
): Promise<TelemetryOutcome> {
  return tracer.startActiveSpan(
    `auth.${operation.name}`,
    { attributes: operationAttributes(operation) },
    async (span) => {
      const outcome = await run()
      span.setAttributes(resultAttributes(outcome))
      // A mistyped password is not an error of the server.
      if (outcome.result === 'failure') span.setStatus({ code: statusError })
      span.end()
      return outcome
    },
  )
}

function measureWith(meter: Meter) {
  const count = meter.createCounter('auth.operations', {
    unit: '{operation}',
    description: 'Requests to the authentication routes, calls of the application, and refreshes, by result',
  })
  const duration = meter.createHistogram('auth.operation.duration', {
    unit: 's',
    description: 'Duration of the operations',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })
  return async (operation: TelemetryOperation, run: () => Promise<TelemetryOutcome>): Promise<TelemetryOutcome> => {
    const begun = performance.now()
    const outcome = await run()
    const attributes = { ...operationAttributes(operation), ...resultAttributes(outcome) }
    count.add(1, attributes)
    duration.record((performance.now() - begun) / 1000, attributes)
    return outcome
  }
}

function operationAttributes({ name, provider }: TelemetryOperation): Attributes {
  return { 'auth.operation': name, ...(provider !== undefined && { 'auth.provider': provider }) }
}

/** Returns the attributes of an outcome. An error of another library has the type `_OTHER`, as in OpenTelemetry. */
function resultAttributes({ result, errorType }: TelemetryOutcome): Attributes {
  return { 'auth.result': result, ...(result !== 'success' && { 'error.type': errorType ?? '_OTHER' }) }
}

function assertHasMethod(name: string, value: unknown, method: string): void {
  if (value === undefined || typeof Reflect.get(Object(value), method) === 'function') return
  throw new TypeError(`openTelemetry: \`${name}\` has no method \`${method}\`.`)
}
