/** The inputs of strangers: broken text, JSON and bytes, and changes to valid values. */
import fc from 'fast-check'

/** A host to which no redirect may lead. No `Host` header of the fuzzing has it. */
export const evilHost = 'evil.example'
/** A part of texts that must never be unescaped in a page. */
export const scriptMark = '<script>fuzz'

const words: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e308',
  'NaN',
  'null',
  'true',
  'undefined',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'hasOwnProperty',
  '[object Object]',
  '%',
  '%00',
  '%zz',
  '%0d%0aX-Injected: 1',
  '\r\nX-Injected: 1\r\n',
  '\nSet-Cookie: auth.session-token=x',
  '\u0000',
  '\ufeff',
  '\u2028',
  '\u202e',
  '\ud800',
  'ä💥',
  'ﬀ',
  'İ',
  '..',
  '../../etc/passwd',
  '.',
  '//',
  '/\\',
  ';',
  ',',
  '=',
  '&',
  '|',
  '.'.repeat(4),
  `"><img src=x onerror=fuzz()>${scriptMark}()</script>`,
  `'-alert(1)-'`,
  `https://${evilHost}/`,
  `//${evilHost}`,
  `/\\${evilHost}`,
  `/\t/${evilHost}`,
  `https:${evilHost}`,
  `https://127.0.0.1@${evilHost}/`,
  `http://localhost:80\\@${evilHost}`,
  `javascript:fuzz()//${evilHost}`,
  `data:text/html,${scriptMark}`,
  "' or 1=1 --",
  '{"$gt":""}',
  '{}',
  '[]',
  '{"__proto__":{"fuzzed":true}}',
  'a@b.c',
  'person@example.com',
  'a@b.c,d@e.f',
  'a@b.c\r\nBcc: d@e.f',
  'eyJhbGciOiJub25lIn0.e30.',
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0....',
  'eyJhbGciOiJQQkVTMi1IUzUxMitBMjU2S1ciLCJlbmMiOiJBMjU2R0NNIiwicDJjIjoyMTQ3NDgzNjQ3LCJwMnMiOiJhYWFhYWFhYSJ9.AA.AA.AA.AA',
]

/** Returns most often no change. One change gets further than all at once, and none is the control. */
export function seldom<T>(change: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: change })
}

/** Returns most often the first value, otherwise one of the others. */
export function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
}

/** Returns a text of up to `most` characters, where it is long. */
export function text(most = 3000): fc.Arbitrary<string> {
  const long = fc
    .tuple(fc.constantFrom('a', '.', 'ä', '=', '%', '[', '"', '\\', 'a@', '; ', 'eyJ', '\t', '0'), fc.nat(most))
    .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)))
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
    { weight: 1, arbitrary: long },
  )
}

/** Returns a text for a header's value, without characters that end the header. Raw requests have them. */
export function line(most?: number): fc.Arbitrary<string> {
  return text(most).map((each) => each.replace(/[\r\n\0]/g, ''))
}

/**
 * Returns the text of a JSON value that no honest client sends. It is a text, because printing a deep value would
 * overflow the stack.
 */
export function json(): fc.Arbitrary<string> {
  const fixed = ['{"__proto__":{"fuzzed":true}}', '{"constructor":{"prototype":{"fuzzed":true}}}', '[[[[[[]]]]]]']
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('null', 'true', 'false', '0', '-1', '1.5', '9007199254740992', '1e308', '""'),
    },
    { weight: 3, arbitrary: text().map((each) => JSON.stringify(each)) },
    { weight: 2, arbitrary: fc.constantFrom(...fixed, deep) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
  )
}

/** Returns the text of a JSON object with some of these members. */
export function objects(names: readonly string[]): fc.Arbitrary<string> {
  const member = fc.tuple(fc.constantFrom(...names), json()).map(([name, value]) => `${JSON.stringify(name)}:${value}`)
  return fc.array(member, { maxLength: 6 }).map((all) => `{${all.join()}}`)
}

/** A change of a text. `at` is a share of its length. */
export type Bend =
  | { readonly how: 'is'; readonly text: string }
  | { readonly how: 'insert'; readonly at: number; readonly text: string }
  | { readonly how: 'cut'; readonly at: number; readonly count: number }
  | { readonly how: 'flip'; readonly at: number }
  | { readonly how: 'twice' | 'upper' | 'reverse' }

const share = fc.nat(999).map((each) => each / 1000)

/** Returns changes of a text. */
export function bend(most?: number): fc.Arbitrary<Bend> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ how: fc.constant('is' as const), text: text(most) }) },
    { weight: 2, arbitrary: fc.record({ how: fc.constant('insert' as const), at: share, text: text(most) }) },
    {
      weight: 2,
      arbitrary: fc.record({ how: fc.constant('cut' as const), at: share, count: fc.integer({ min: 1, max: 40 }) }),
    },
    { weight: 2, arbitrary: fc.record({ how: fc.constant('flip' as const), at: share }) },
    { weight: 1, arbitrary: fc.constantFrom<Bend[]>({ how: 'twice' }, { how: 'upper' }, { how: 'reverse' }) },
  )
}

/** Returns the text after the change. */
export function bent(value: string, change: Bend): string {
  const at = 'at' in change ? Math.floor(change.at * value.length) : 0
  switch (change.how) {
    case 'is':
      return change.text
    case 'insert':
      return value.slice(0, at) + change.text + value.slice(at)
    case 'cut':
      return value.slice(0, at) + value.slice(at + change.count)
    case 'flip':
      return value.slice(0, at) + String.fromCharCode((value.charCodeAt(at) || 64) ^ 1) + value.slice(at + 1)
    case 'twice':
      return value + value
    case 'upper':
      return value.toUpperCase()
    case 'reverse':
      return [...value].reverse().join('')
  }
}

/** Fields of a form, a query or a header block: a name may be repeated. */
export type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** A change of fields. `at` is a share of their number. */
export type Edit =
  | { readonly kind: 'bend'; readonly at: number; readonly bend: Bend }
  | { readonly kind: 'drop'; readonly at: number }
  | { readonly kind: 'again'; readonly at: number; readonly bend: Bend }
  | { readonly kind: 'rename'; readonly at: number; readonly bend: Bend }
  | { readonly kind: 'swap'; readonly at: number; readonly other: number }
  | { readonly kind: 'add'; readonly name: string; readonly value: string }

/** Returns changes of fields. @param names Names of fields that may be added. */
export function edits(names: readonly string[], most?: number): fc.Arbitrary<Edit[]> {
  const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: text(200) })
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('bend' as const), at: share, bend: bend(most) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), at: share }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), at: share, bend: bend(most) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), at: share, bend: bend(200) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('swap' as const), at: share, other: share }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), name, value: text(most) }) },
  )
  return fc.array(edit, { minLength: 1, maxLength: 4 })
}

/** Returns the fields after the changes. */
export function edited(fields: Fields, changes: readonly Edit[]): Fields {
  return changes.reduce(editOnce, fields)
}

function editOnce(fields: Fields, edit: Edit): Fields {
  if (edit.kind === 'add') return [...fields, [edit.name, edit.value]]
  const at = Math.min(fields.length - 1, Math.floor(edit.at * fields.length))
  const [name, value] = fields[at] ?? ['', '']
  const put = (...now: Fields) => [...fields.slice(0, Math.max(0, at)), ...now, ...fields.slice(at + 1)]
  switch (edit.kind) {
    case 'bend':
      return put([name, bent(value, edit.bend)])
    case 'drop':
      return put()
    case 'again':
      return put([name, value], [name, bent(value, edit.bend)])
    case 'rename':
      return put([bent(name, edit.bend), value])
    case 'swap': {
      const other = fields[Math.floor(edit.other * fields.length)]
      return put([name, other?.[1] ?? ''])
    }
  }
}

/** A change of a JSON document: of the value whose place is this share of all values. New values are JSON texts. */
export type JsonEdit =
  | { readonly kind: 'put'; readonly at: number; readonly value: string }
  | { readonly kind: 'drop'; readonly at: number }
  | { readonly kind: 'bend'; readonly at: number; readonly bend: Bend }
  | { readonly kind: 'list'; readonly at: number }
  | { readonly kind: 'add'; readonly at: number; readonly name: string; readonly value: string }

/** Returns changes of a JSON document. @param names Names of members that may be added. */
export function jsonEdits(names: readonly string[]): fc.Arbitrary<JsonEdit[]> {
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...names, '__proto__') },
    { weight: 1, arbitrary: text(50) },
  )
  const edit: fc.Arbitrary<JsonEdit> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), at: share, value: json() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), at: share }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('bend' as const), at: share, bend: bend() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const), at: share }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), at: share, name, value: json() }) },
  )
  return fc.array(edit, { minLength: 1, maxLength: 3 })
}

/** Returns a copy of the document after the changes. */
export function editedJson(document: unknown, changes: readonly JsonEdit[]): unknown {
  const root = { document: structuredClone(document) }
  for (const change of changes) editPlace(root, change)
  return root.document
}

interface Place {
  readonly holder: object
  readonly key: string
}

function* placesOf(holder: object): Generator<Place> {
  for (const key of Object.keys(holder)) {
    yield { holder, key }
    const value: unknown = Reflect.get(holder, key)
    if (typeof value === 'object' && value !== null) yield* placesOf(value)
  }
}

function editPlace(root: object, change: JsonEdit): void {
  const places = [...placesOf(root)]
  const place = places[Math.min(places.length - 1, Math.floor(change.at * places.length))]
  if (!place) return
  const { holder, key } = place
  const value: unknown = Reflect.get(holder, key)
  // As JSON.parse does it: `__proto__` is a member like others.
  const put = (into: object, name: string, now: unknown) =>
    Object.defineProperty(into, name, { value: now, enumerable: true, writable: true, configurable: true })
  if (change.kind === 'put') put(holder, key, JSON.parse(change.value))
  else if (change.kind === 'drop') Reflect.deleteProperty(holder, key)
  else if (change.kind === 'list') put(holder, key, [value])
  else if (change.kind === 'bend')
    put(holder, key, bent(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), change.bend))
  else if (typeof value === 'object' && value !== null) put(value, change.name, JSON.parse(change.value))
  else put(holder, change.name, JSON.parse(change.value))
}
