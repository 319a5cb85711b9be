/** The documents of the guide to SAML: those that it accepts, and attacks with the check that refuses them. */
import {
  type AssertionParts,
  afterIssuer,
  assertionOf,
  attributeStatement,
  audience,
  encoded,
  names,
  parties,
  responseOf,
  type SignatureParts,
  signatureOf,
  signed,
  timeIn,
  validResponse,
} from '../support/saml-documents.js'
import { strangerKey } from '../support/saml-keys.js'

/** A form's field, and the reason for which it is refused. Without a reason it is accepted. */
export type Case = readonly [title: string, field: () => string, reason?: string]

const response = { id: '_response' }
const sha512 = {
  signatureMethod: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  digestMethod: 'http://www.w3.org/2001/04/xmlenc#sha512',
}
const certificateOf = ({ certificate }: { certificate: string }) =>
  `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate.replaceAll(/-----.*?-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`

const document = (title: string, make: () => string, reason?: string): Case => [title, () => encoded(make()), reason]
const assertion = (title: string, parts: AssertionParts, reason?: string) =>
  document(title, () => validResponse(parts), reason)
const signature = (title: string, parts: SignatureParts, reason?: string) =>
  document(title, () => validResponse({}, {}, parts), reason)

/** Returns a valid response in whose text something was replaced after it was signed. */
const changed = (title: string, [from, to]: readonly [RegExp, string], reason: string) =>
  document(title, () => validResponse().replace(from, to), reason)

export const good: readonly Case[] = [
  document('signed assertion', () => validResponse()),
  document('signed assertion in a signed response', () => signed(validResponse(), response)),
  signature('SHA-512', sha512),
  document('a declaration of UTF-8', () => `<?xml version="1.0" encoding="UTF-8"?>\n${validResponse()}`),
  signature('a certificate in the signature, which is ignored', { keyInfo: certificateOf(strangerKey) }),
  assertion('two audiences, one of them this site', { restrictions: audience('https://b.example', parties.audience) }),
  assertion('single use', { restrictions: `${audience(parties.audience)}<saml:OneTimeUse></saml:OneTimeUse>` }),
  document('no Destination', () => validResponse({}, { response: { Destination: undefined } })),
  assertion('a clock that is 55 s ahead', {
    conditions: { NotBefore: 55 },
    statement: { AuthnInstant: 55 },
  }),
  assertion('conditions that ended 55 s ago', { conditions: { NotOnOrAfter: -55 } }),
  assertion('a confirmation that ended 55 s ago', { data: { NotOnOrAfter: -55 } }),
  document('white space between elements', () => responseOf(`\n  ${signed(assertionOf())}\n`)),
  assertion('attributes', { more: attributeStatement({ displayName: ['Ann'], groups: ['a', 'b'] }) }),
  assertion('milliseconds', { conditions: { NotOnOrAfter: timeIn(300).replace('Z', '.123Z') } }),
]

const badSignature = 'the signature, audience or time is wrong'
const badForm = 'a DOCTYPE, comment or control character'
const second = 'Assertion is missing, or not the only one'
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'
const late = 'the confirmation is too old'

const signatures: readonly Case[] = [
  document('no signature', () => responseOf(assertionOf()), 'Signature is missing'),
  document('only the response is signed', () => signed(responseOf(assertionOf()), response), 'Signature is missing'),
  signature('the key of a stranger', { key: strangerKey }, badSignature),
  signature('the key in the message', { key: strangerKey, keyInfo: certificateOf(strangerKey) }, badSignature),
  signature('an empty signature', { signer: () => '' }, badSignature),
  changed('another user than was signed', [/>ann-1</, '>admin<'], badSignature),
  changed('another attribute than was signed', [/Recipient="[^"]*"/, 'Recipient="https://evil.example"'], badSignature),
  changed('another digest than was signed', [/DigestValue>./, 'DigestValue>+'], badSignature),
  document(
    'a stranger signed the response',
    () => signed(validResponse(), { ...response, key: strangerKey }),
    badSignature,
  ),
  document(
    'a stranger signed the assertion in a signed response',
    () => signed(validResponse({}, {}, { key: strangerKey }), response),
    badSignature,
  ),
  signature('RSA with SHA-1', { signatureMethod: `${names.dsig}rsa-sha1` }, 'signature algorithm'),
  signature('a digest by SHA-1', { digestMethod: sha1 }, 'hash algorithm'),
  signature('HMAC with the certificate', { signatureMethod: `${names.dsig}hmac-sha1` }, 'signature algorithm'),
  signature('a digest algorithm as signature algorithm', { signatureMethod: names.sha256 }, badSignature),
  signature(
    'canonicalization with comments',
    { canonicalization: `${names.exclusive}WithComments` },
    'canonicalization',
  ),
  signature(
    'inclusive canonicalization',
    { canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' },
    'canonicalization',
  ),
  signature(
    'a transform by XPath',
    {
      transforms: [`${names.dsig}enveloped-signature`, 'http://www.w3.org/TR/1999/REC-xpath-19991116', names.exclusive],
    },
    'transform',
  ),
  signature('no transform', { transforms: [] }, 'transform'),
  signature('of another element', { id: '_response' }, 'of another element'),
  changed('of the whole document', [/URI="#_assertion"/, 'URI=""'], 'of another element'),
  changed('two references', [/(<ds:Reference .*<\/ds:Reference>)/, '$1$1'], 'Reference is missing'),
  changed('two SignedInfo', [/(<ds:SignedInfo>.*<\/ds:SignedInfo>)/, '$1$1'], 'SignedInfo is missing'),
  changed('two signatures', [/(<ds:Signature .*<\/ds:Signature>)/, '$1$1'], 'Signature is missing'),
  changed('a comment in the digest', [/DigestValue>/, 'DigestValue><!--a-->'], badForm),
  changed('an object', [/<\/ds:Signature>/, '<ds:Object>a</ds:Object></ds:Signature>'], 'Object'),
  changed(
    'a signature in another place',
    [/<samlp:Status>/, `<samlp:Status><ds:Signature xmlns:ds="${names.dsig}"/>`],
    'another place',
  ),
  document(
    'the response has a wrong algorithm',
    () => signed(validResponse(), { ...response, digestMethod: sha1 }),
    'hash algorithm',
  ),
]

const texts: readonly Case[] = [
  ['no field', () => '', 'malformed XML'],
  document('no XML', () => 'hello', 'malformed XML'),
  document('another document', () => `<samlp:LogoutResponse xmlns:samlp="${names.protocol}"/>`, 'not Success'),
  document(
    'a response of SAML 1',
    () => validResponse().replace(/samlp="[^"]*"/, 'samlp="urn:oasis:names:tc:SAML:1.0:protocol"'),
    'not a Response',
  ),
  document('a DOCTYPE', () => `<!DOCTYPE Response>${validResponse()}`, badForm),
  document('entities', () => `<!DOCTYPE a [<!ENTITY b "bbb">]>${validResponse()}`, badForm),
  document('an entity without a declaration', () => validResponse({ nameId: 'ann-1&b;' }), 'malformed XML'),
  changed('a comment in the user', [/>ann-1</, '>ann-<!---->1<'], badForm),
  assertion('a signed comment in the user', { nameId: 'ann-1<!---->.evil' }, badForm),
  changed('CDATA in the user', [/>ann-1</, '><![CDATA[ann-1]]><'], badForm),
  changed('a processing instruction', [/>ann-1</, '>ann-1<?a b?><'], badForm),
  document('a second declaration', () => `<?xml version="1.0"?><?xml version="1.0"?>${validResponse()}`, badForm),
  document('a control character', () => validResponse().replace('>ann-1<', '>ann-1\u0000<'), badForm),
  ['UTF-16', () => Buffer.from(`\ufeff${validResponse()}`, 'utf16le').toString('base64'), badForm],
  [
    'bytes that are not UTF-8',
    () => Buffer.from(validResponse().replace('ann-1', 'ann-\xff'), 'latin1').toString('base64'),
    badForm,
  ],
  document(
    'more than 100 kB',
    () => validResponse({ more: attributeStatement({ a: ['x'.repeat(101_000)] }) }),
    '100 kB',
  ),
  document('700 kB of nested elements', () => '<a>'.repeat(100_000) + '</a>'.repeat(100_000), '100 kB'),
  document('99 kB of nested elements', () => '<a>'.repeat(14_000) + '</a>'.repeat(14_000), 'too many elements'),
  document(
    'many attributes',
    () => `<a ${Array.from({ length: 5_000 }, (_, index) => `b${index}="c"`).join(' ')}/>`,
    'too many elements',
  ),
  document('an unclosed element', () => validResponse().replace(/<\/samlp:Response>$/, ''), 'malformed XML'),
  document(
    'an attribute twice',
    () => validResponse().replace('ID="_response"', 'ID="_response" ID="_response"'),
    'malformed XML',
  ),
]

const statements: readonly Case[] = [
  document(
    'another issuer of the response',
    () => validResponse({}, { issuer: 'https://evil.example' }),
    'another issuer',
  ),
  assertion('another issuer of the assertion', { issuer: 'https://evil.example' }, 'another issuer'),
  document(
    'another Destination',
    () => validResponse({}, { response: { Destination: 'https://b.example/acs' } }),
    'Destination',
  ),
  document(
    'the provider reports a failure',
    () => validResponse({}, { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }),
    'not Success',
  ),
  assertion('another Recipient', { data: { Recipient: 'https://b.example/acs' } }, 'Recipient'),
  assertion('no Recipient', { data: { Recipient: undefined } }, 'Recipient'),
  assertion('another audience', { restrictions: audience('https://b.example') }, badSignature),
  assertion(
    'two restrictions, of which one excludes this site',
    { restrictions: audience(parties.audience) + audience('https://b.example') },
    badSignature,
  ),
  assertion('no restriction', { restrictions: '' }, badSignature),
  assertion(
    'an unknown condition',
    { restrictions: `${audience(parties.audience)}<saml:Condition></saml:Condition>` },
    'unknown condition',
  ),
  assertion('a clock that is 65 s ahead', { conditions: { NotBefore: 65 } }, badSignature),
  assertion('conditions that ended 65 s ago', { conditions: { NotOnOrAfter: -65 } }, badSignature),
  assertion('a confirmation that ended 65 s ago', { data: { NotOnOrAfter: -65 } }, late),
  assertion('a confirmation without an end', { data: { NotOnOrAfter: undefined } }, badSignature),
  assertion('a confirmation that begins in 65 s', { data: { NotBefore: 65 } }, late),
  assertion('a time without a zone', { data: { NotOnOrAfter: timeIn(300).replace('Z', '') } }, 'not a time'),
  assertion('an authentication in 65 s', { statement: { AuthnInstant: 65 } }, 'the session there has ended'),
  assertion('no time of the authentication', { statement: { AuthnInstant: undefined } }, 'a required value'),
  assertion('a session that has ended', { statement: { SessionNotOnOrAfter: -65 } }, 'the session there has ended'),
  assertion('a holder of a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }, 'confirmation method'),
  assertion('another request in the assertion', { data: { InResponseTo: '_other' } }, 'two different requests'),
  assertion('no request in the assertion', { data: { InResponseTo: undefined } }, 'two different requests'),
  document(
    'no request in the response',
    () => validResponse({}, { response: { InResponseTo: undefined } }),
    'two different requests',
  ),
  assertion(
    'an email address as NameID',
    { format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
    'not persistent',
  ),
  assertion('a transient NameID', { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, 'not persistent'),
  assertion('an empty NameID', { nameId: '' }, 'no id'),
  assertion('a NameID with a space', { nameId: 'ann-1 ' }, 'no id'),
  assertion('a NameID that is too long', { nameId: 'a'.repeat(256) }, 'no id'),
  assertion(
    'two NameIDs',
    { nameIdElement: ['a', 'b'].map((id) => `<saml:NameID Format="${names.persistent}">${id}</saml:NameID>`).join('') },
    'NameID is missing',
  ),
  assertion(
    'a NameID of another namespace',
    { nameIdElement: `<NameID xmlns="urn:a" Format="${names.persistent}">admin</NameID>` },
    'NameID is missing',
  ),
  assertion('an encrypted NameID', { nameIdElement: '<saml:EncryptedID></saml:EncryptedID>' }, 'NameID is missing'),
  document('an encrypted assertion', () => responseOf(`<saml:EncryptedAssertion xmlns:saml="${names.saml}"/>`), second),
  document(
    'an encrypted assertion beside the other',
    () => responseOf(`${signed(assertionOf())}<saml:EncryptedAssertion xmlns:saml="${names.saml}"/>`),
    'a second Assertion',
  ),
  document(
    'two signed assertions',
    () => responseOf(signed(assertionOf()) + signed(assertionOf({ id: '_b' }), { id: '_b' })),
    second,
  ),
  document(
    'an assertion in another namespace',
    () => responseOf(`${signed(assertionOf())}<Assertion xmlns="urn:a"/>`),
    second,
  ),
  document(
    'an assertion in an extension',
    () => responseOf(`<samlp:Extensions>${assertionOf({ id: '_b' })}</samlp:Extensions>${signed(assertionOf())}`),
    'a second Assertion',
  ),
  document(
    'an ID twice',
    () => responseOf(`<samlp:Extensions ID="_assertion"/>${signed(assertionOf())}`),
    'not unique',
  ),
  document(
    'an ID twice, with another name',
    () => responseOf(`<samlp:Extensions xml:id="_assertion"/>${signed(assertionOf())}`),
    'not unique',
  ),
]

/**
 * The eight forms of signature wrapping: Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", USENIX
 * Security 2012. @param target The signed elements.
 */
function wrapped(form: number, target: 'assertion' | 'response' | 'both'): string {
  const [forged, plain] = [assertionOf({ id: '_forged', nameId: 'admin' }), assertionOf()]
  const own = target === 'response' ? '' : signatureOf(plain)
  const original = responseOf(afterIssuer(plain, own))
  const outer = target === 'assertion' ? '' : signatureOf(original, response)
  const into = (place: string, content: string) =>
    place === ''
      ? `<samlp:Extensions>${content}</samlp:Extensions>`
      : place.replace('</ds:Signature>', `${content}</ds:Signature>`)
  const evil = responseOf(forged, { response: { ID: '_evil' } })
  if (form === 1) return afterIssuer(evil, into(outer, original))
  if (form === 2) return afterIssuer(evil, original + outer)
  const content = [
    forged + afterIssuer(plain, own),
    forged.replace('</saml:Assertion>', `${afterIssuer(plain, own)}</saml:Assertion>`),
    afterIssuer(forged, own) + plain,
    afterIssuer(forged, into(own, plain)),
    `<samlp:Extensions>${forged}</samlp:Extensions>${afterIssuer(plain, own)}`,
    afterIssuer(forged, into(own, `<ds:Object xmlns:ds="${names.dsig}">${plain}</ds:Object>`)),
  ][form - 3]
  return afterIssuer(responseOf(content ?? ''), outer)
}

const wrappings = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((form) =>
  (['assertion', 'response', 'both'] as const).map((target) =>
    document(`wrapping ${form}, ${target} signed`, () => wrapped(form, target), 'SAML: '),
  ),
)

export const bad: readonly Case[] = [...signatures, ...texts, ...statements, ...wrappings]
