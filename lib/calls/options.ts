/** The options of a call: an object of the application, or a form that a user sent. */
import { isRecord } from '../base/guards.js'

/** The options that were read. */
export interface CallOptions {
  readonly redirect: boolean
  /** Not validated yet. */
  readonly redirectTo: string | undefined
  /** All other fields, in a record without a prototype. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** Reads options. `redirect: false` is ignored in a form, because forms come from strangers. */
export function readCallOptions(given: unknown): CallOptions {
  const options = isFormData(given) ? readFormData(given) : isRecord(given) ? given : {}
  const { redirect, redirectTo, callbackUrl, csrfToken: _token, ...others } = options
  const fields: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(others)) if (value !== undefined) fields[name] = value
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return {
    redirect: isFormData(given) || redirect !== false,
    redirectTo: [redirectTo, callbackUrl].find(isText),
    fields,
  }
}

function isFormData(value: unknown): value is FormData {
  return isRecord(value) && typeof value.getAll === 'function' && typeof value.entries === 'function'
}

/** Reads a form like a body: several values of a name become a list. Files and fields of frameworks are left out. */
function readFormData(form: FormData): Record<string, unknown> {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith('$ACTION'))
  const entries = names.map((name): [string, unknown] => {
    const values = form.getAll(name).filter((value) => typeof value === 'string')
    return [name, values.length > 1 ? values : values[0]]
  })
  return Object.fromEntries(entries)
}
