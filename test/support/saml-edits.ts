/** Changes of signed SAML documents: elements are moved, copied, removed and mixed with those of attacks. */
import fc from 'fast-check'
import { assertionOf, names, responseOf, signed, validResponse } from './saml-documents.js'

/** Texts that an attacker would insert. */
const insertions = [
  assertionOf({ id: '_forged', nameId: 'admin' }),
  assertionOf({ nameId: 'admin' }),
  `<saml:Assertion xmlns:saml="${names.saml}" ID="_assertion"></saml:Assertion>`,
  `<Assertion xmlns="${names.protocol}">`,
  '<saml:NameID>admin</saml:NameID>',
  '<saml:Subject><saml:NameID>admin</saml:NameID></saml:Subject>',
  `<ds:Signature xmlns:ds="${names.dsig}"></ds:Signature>`,
  '<ds:Object>',
  '</ds:Signature>',
  '<samlp:Extensions ID="_assertion">',
  '<!---->',
  '<![CDATA[admin]]>',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
  '&b;',
  '&#0;',
  '&#x3c;',
  '\u0000',
  '\u2028',
  '\r',
  ' ID="_assertion"',
  ' xmlns:saml="urn:a"',
  ' xmlns=""',
  '\ud800',
  '<a>'.repeat(200),
  '<a b="c"/>'.repeat(200),
  '>'.repeat(2000),
]

type Edit =
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'move' | 'copy'; readonly at: number; readonly count: number; readonly to: number }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number }
  | { readonly kind: 'write'; readonly at: number; readonly text: string }

const place = fc.nat(999)
const count = fc.oneof(fc.constant(1), fc.nat(20))
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: place, text: fc.constantFrom(...insertions) }),
  fc.record({ kind: fc.constantFrom('move' as const, 'copy' as const), at: place, count, to: place }),
  fc.record({ kind: fc.constant('remove' as const), at: place, count }),
  fc.record({
    kind: fc.constant('write' as const),
    at: place,
    text: fc.constantFrom('', ' ', '"', '<', '&', '=', 'a', '#'),
  }),
)

/** Returns the position in a list. @param at In thousandths of its length. */
const within = (length: number, at: number) => Math.floor((length * at) / 1000)

function apply(xml: string, change: Edit): string {
  if (change.kind === 'write') {
    const at = within(xml.length, change.at)
    return xml.slice(0, at) + change.text + xml.slice(at + 1)
  }
  const parts = xml.match(/<[^>]*>|[^<]+/g) ?? []
  const at = within(parts.length, change.at)
  if (change.kind === 'insert') return parts.toSpliced(at, 0, change.text).join('')
  const some = parts.slice(at, at + change.count)
  const rest = change.kind === 'copy' ? parts : parts.toSpliced(at, change.count)
  return change.kind === 'remove' ? rest.join('') : rest.toSpliced(within(rest.length, change.to), 0, ...some).join('')
}

const documents = [
  () => validResponse(),
  () => signed(validResponse(), { id: '_response' }),
  () => responseOf(signed(assertionOf()) + signed(assertionOf({ id: '_b' }), { id: '_b' })),
]

/** Returns documents with one to five changes. */
export const editedDocuments = fc
  .tuple(fc.constantFrom(...documents), fc.array(edit, { minLength: 1, maxLength: 5 }))
  .map(([make, changes]) => changes.reduce(apply, make()))
