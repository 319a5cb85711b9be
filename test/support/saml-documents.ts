/**
 * SAML documents of the tests, signed without an XML library: the templates are in the form of Exclusive XML
 * Canonicalization (https://www.w3.org/TR/xml-exc-c14n/), so their digests are hashes of their texts.
 */
import { createHash, createHmac, createSign } from 'node:crypto'
import { providerKey, type SamlKey } from './saml-keys.js'

/** The parties and the sign-in of a document. */
export const parties = {
  entityId: 'https://idp.example.com/metadata',
  site: 'https://app.example.com',
  acs: 'https://app.example.com/saml/acs',
  audience: 'https://app.example.com/saml/metadata',
  requestId: `_${'a'.repeat(64)}`,
  subject: 'ann-1',
}

export const names = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  dsig: 'http://www.w3.org/2000/09/xmldsig#',
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  rsaSha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  success: 'urn:oasis:names:tc:SAML:2.0:status:Success',
}

/** Returns a time relative to now, as SAML has it. @param seconds Negative: in the past. */
export const timeIn = (seconds: number) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`

/** Attributes by name. A number is a time relative to now, in seconds. `undefined` leaves the attribute out. */
type Attributes = Readonly<Record<string, string | number | undefined>>

/** The differences from a valid assertion. Elements are replaced as a whole. */
export interface AssertionParts {
  readonly id?: string
  readonly issuer?: string
  readonly nameId?: string
  readonly format?: string
  /** Replaces `NameID`. */
  readonly nameIdElement?: string
  readonly method?: string
  /** The attributes of `SubjectConfirmationData`. */
  readonly data?: Attributes
  /** The attributes of `Conditions`. */
  readonly conditions?: Attributes
  /** The children of `Conditions`. */
  readonly restrictions?: string
  readonly statement?: Attributes
  readonly context?: string
  /** More children, after the statement. */
  readonly more?: string
}

/** Returns the attributes in canonical order. */
function attributes(values: Attributes): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? timeIn(value) : value}"`)
    .join('')
}

export const audience = (...of: readonly string[]) =>
  `<saml:AudienceRestriction>${of.map((each) => `<saml:Audience>${each}</saml:Audience>`).join('')}</saml:AudienceRestriction>`

/** Returns the statement of attributes with these values. */
export function attributeStatement(values: Readonly<Record<string, readonly string[]>>): string {
  const list = Object.entries(values).map(
    ([name, texts]) =>
      `<saml:Attribute Name="${name}">${texts.map((text) => `<saml:AttributeValue>${text}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  )
  return `<saml:AttributeStatement>${list.join('')}</saml:AttributeStatement>`
}

/** Returns an assertion without a signature. */
export function assertionOf(parts: AssertionParts = {}): string {
  const { id = '_assertion', issuer = parties.entityId, nameId = parties.subject, format = names.persistent } = parts
  const confirmation = {
    InResponseTo: parties.requestId,
    NotOnOrAfter: timeIn(300),
    Recipient: parties.acs,
    ...parts.data,
  }
  const conditions = { NotBefore: timeIn(-10), NotOnOrAfter: timeIn(300), ...parts.conditions }
  const statement = { AuthnInstant: timeIn(-5), SessionIndex: '_session', ...parts.statement }
  const subject = parts.nameIdElement ?? `<saml:NameID Format="${format}">${nameId}</saml:NameID>`
  const method = parts.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
  const context = parts.context ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
  return (
    `<saml:Assertion xmlns:saml="${names.saml}" ID="${id}" IssueInstant="${timeIn(-5)}" Version="2.0">` +
    `<saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject>${subject}<saml:SubjectConfirmation Method="${method}">` +
    `<saml:SubjectConfirmationData${attributes(confirmation)}></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions${attributes(conditions)}>${parts.restrictions ?? audience(parties.audience)}</saml:Conditions>` +
    `<saml:AuthnStatement${attributes(statement)}><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>${context}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `${parts.more ?? ''}</saml:Assertion>`
  )
}

/** The differences from a valid response. */
export interface ResponseParts {
  readonly issuer?: string
  /** The attributes of `Response`. */
  readonly response?: Attributes
  readonly status?: string
}

/** Returns a response without a signature of its own. @param content Its assertions. */
export function responseOf(content: string, parts: ResponseParts = {}): string {
  const { issuer = parties.entityId, status = names.success } = parts
  const own = {
    Destination: parties.acs,
    ID: '_response',
    InResponseTo: parties.requestId,
    IssueInstant: timeIn(-5),
    Version: '2.0',
  }
  return (
    `<samlp:Response xmlns:samlp="${names.protocol}"${attributes({ ...own, ...parts.response })}>` +
    `<saml:Issuer xmlns:saml="${names.saml}">${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="${status}"></samlp:StatusCode></samlp:Status>${content}</samlp:Response>`
  )
}

/** The differences from a valid signature. */
export interface SignatureParts {
  readonly key?: SamlKey
  readonly id?: string
  readonly signatureMethod?: string
  readonly digestMethod?: string
  readonly canonicalization?: string
  readonly transforms?: readonly string[]
  /** After `SignatureValue`. */
  readonly keyInfo?: string
  /** Signs the text of `SignedInfo`. */
  readonly signer?: (text: string) => string
}

const hashes: Readonly<Record<string, string>> = {
  [names.sha256]: 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
}

const rsa =
  (hash: string) =>
  ({ privateKey }: SamlKey, text: string) =>
    createSign(hash).update(text).sign(privateKey, 'base64')

const signers: Readonly<Record<string, (key: SamlKey, text: string) => string>> = {
  [names.rsaSha256]: rsa('sha256'),
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': rsa('sha512'),
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': rsa('sha1'),
  // The attack: the public certificate is the key.
  'http://www.w3.org/2000/09/xmldsig#hmac-sha1': ({ certificate }, text) =>
    createHmac('sha1', certificate).update(text).digest('base64'),
}

/** Returns the signature of an element. The element has `ID="<id>"`. */
export function signatureOf(element: string, parts: SignatureParts = {}): string {
  const { key = providerKey, id = '_assertion', canonicalization = names.exclusive, keyInfo = '' } = parts
  const { signatureMethod = names.rsaSha256, digestMethod = names.sha256 } = parts
  const transforms = parts.transforms ?? [`${names.dsig}enveloped-signature`, names.exclusive]
  const digest = createHash(hashes[digestMethod] ?? 'sha256')
    .update(element)
    .digest('base64')
  const content =
    `<ds:CanonicalizationMethod Algorithm="${canonicalization}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${signatureMethod}"></ds:SignatureMethod>` +
    `<ds:Reference URI="#${id}"><ds:Transforms>` +
    `${transforms.map((each) => `<ds:Transform Algorithm="${each}"></ds:Transform>`).join('')}</ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${digestMethod}"></ds:DigestMethod>` +
    `<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`
  const canonical = `<ds:SignedInfo xmlns:ds="${names.dsig}">${content}</ds:SignedInfo>`
  const sign = parts.signer ?? ((text: string) => (signers[signatureMethod] ?? rsa('sha256'))(key, text))
  return (
    `<ds:Signature xmlns:ds="${names.dsig}"><ds:SignedInfo>${content}</ds:SignedInfo>` +
    `<ds:SignatureValue>${sign(canonical)}</ds:SignatureValue>${keyInfo}</ds:Signature>`
  )
}

/** Inserts text after the issuer of an element, where the schema has the signature. */
export const afterIssuer = (element: string, text: string) =>
  element.replace('</saml:Issuer>', () => `</saml:Issuer>${text}`)

/** Returns the element with its signature. */
export const signed = (element: string, parts: SignatureParts = {}) => afterIssuer(element, signatureOf(element, parts))

/** Returns a response with a signed assertion. */
export const validResponse = (
  assertion: AssertionParts = {},
  response: ResponseParts = {},
  signature: SignatureParts = {},
) =>
  responseOf(
    signed(assertionOf(assertion), { ...(assertion.id !== undefined && { id: assertion.id }), ...signature }),
    response,
  )

/** Returns the form's field. */
export const encoded = (xml: string) => Buffer.from(xml).toString('base64')

/** Returns the metadata of the provider. */
export function metadataOf({ location = 'https://idp.example.com/sso', key = providerKey } = {}): string {
  const certificate = key.certificate.replaceAll(/-----.*?-----|\s/g, '')
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${parties.entityId}">` +
    `<IDPSSODescriptor protocolSupportEnumeration="${names.protocol}"><KeyDescriptor use="signing">` +
    `<ds:KeyInfo xmlns:ds="${names.dsig}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>` +
    `</KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${location}"/>` +
    `</IDPSSODescriptor></EntityDescriptor>`
  )
}
