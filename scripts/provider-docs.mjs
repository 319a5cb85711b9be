/**
 * `npm run docs:providers`: writes `docs/reference/providers.md` from the files in `lib/providers/`. With `--check` it writes nothing, and
 * fails if the page is out of date. Run it with tsx, because it imports the providers.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { environmentName } from '../lib/base/env.ts'

const folder = new URL('../lib/providers/', import.meta.url)
const page = new URL('../docs/reference/providers.md', import.meta.url)
const notProviders = ['credentials']
const kinds = { oidc: 'OpenID Connect', oauth: 'OAuth 2', email: 'Email', webauthn: 'Passkeys' }

const ids = readdirSync(folder)
  .map((file) => file.replace('.ts', ''))
  .filter((id) => !notProviders.includes(id))

/** The headings of providers whose buttons share a name. */
const titles = { 'azure-ad': 'Azure Active Directory', 'microsoft-entra-id': 'Microsoft Entra ID' }

/** Reads the comments of a file and the provider object that it creates. */
async function describe(id) {
  const source = readFileSync(new URL(`${id}.ts`, folder), 'utf8')
  const { default: create } = await import(new URL(`${id}.ts`, folder).href)
  const own = ownOptions(source)
  const object = make(create)
  const head = comment(source.slice(0, source.indexOf('*/') + 2))
  const about = comment(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*export default function/.exec(source)?.[0] ?? '')
  return {
    id,
    name: titles[id] ?? object?.name ?? /^(.*?) —/.exec(head)?.[1] ?? id,
    type: object?.type ?? 'oauth',
    functionName: /export default function (\w+)/.exec(source)?.[1] ?? create.name,
    link: /https?:\/\/[^\s·]+/.exec(head)?.[0],
    about: about.split('\n\n')[0].replace(/\s+/g, ' ').trim(),
    own,
    scope: scopeOf(object),
    needsIssuer: object?.type === 'oidc' && object.issuer === undefined && object.authorization === undefined,
  }
}

/** Creates the provider object. A discontinued provider creates none. */
function make(create) {
  try {
    return create(examples)
  } catch {
    return undefined
  }
}

/** Values of options that some providers require. */
const examples = {
  accountID: '1234567',
  apiKey: 'key',
  connection: 'conn_1',
  from: 'a@example.com',
  server: 'smtp://example.com',
  transactionalId: 'id',
}

function comment(text) {
  return text
    .replace(/export default function.*$/s, '')
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .trim()
}

/** Returns the options that only this provider has: the members after `UserConfig<…> & {`, or of an interface of options. */
function ownOptions(source) {
  const type = /(?:UserConfig<\w+>\s*&\s*\{|interface \w+Options[^{]*\{)([\s\S]*?)\n?\}/.exec(source)?.[1] ?? ''
  return [...type.matchAll(/^\s*(?:readonly )?(\w+)\??:/gm)].map(([, name]) => name)
}

function scopeOf(object) {
  const { authorization } = object ?? {}
  if (!authorization) return object?.type === 'oidc' ? 'openid profile email' : undefined
  const url = typeof authorization === 'string' ? authorization : authorization.url
  const inUrl = url && URL.canParse(url) ? new URL(url).searchParams.get('scope') : null
  return authorization.params?.scope ?? inUrl ?? (object.type === 'oidc' ? 'openid profile email' : undefined)
}

function write(all) {
  const count = (...types) => all.filter(({ type }) => types.includes(type)).length
  return `# Providers

<!-- Written by \`npm run docs:providers\` from lib/providers: do not change it here. -->

${count('oidc', 'oauth')} providers of OAuth 2 and OpenID Connect, ${count('email')} email providers, [passkeys](../guides/passkeys.md), and
[credentials](options.md#credentials). Each is a separate import. You can define any other provider as [an object](options.md#providers).

Set \`clientId\` and \`clientSecret\` in the environment and list the function: \`providers: [GitHub]\`. Or pass them: \`GitHub({ clientId, clientSecret })\`.
[Options](options.md#providers) lists the options of all providers; *own options* below exist for one provider only.

Logos on the sign-in page are from [Simple Icons](https://simpleicons.org) (CC0-1.0), without those that have their own licence. Other providers show initials.
Names and logos belong to their owners.

${all.map(({ name, id }) => `[${name}](#${id})`).join(' · ')}

${all.map(section).join('\n')}`
}

function variablesOf({ id, type, needsIssuer }) {
  const variable = `AUTH_${environmentName(id)}`
  if (type === 'webauthn' || id === 'email' || id === 'nodemailer') return []
  if (type === 'email') return [`${variable}_KEY`]
  return [`${variable}_ID`, `${variable}_SECRET`, ...(needsIssuer ? [`${variable}_ISSUER`] : [])]
}

function section(provider) {
  const { id, name, type, functionName, link, about, own, scope } = provider
  const variables = variablesOf(provider)
  const rows = [
    ['Kind', kinds[type] ?? type],
    ...(type === 'oidc' || type === 'oauth' ? [['Callback URL', `\`<origin>/auth/callback/${id}\``]] : []),
    ...(variables.length > 0 ? [['Environment', variables.map((each) => `\`${each}\``).join(', ')]] : []),
    ...(scope ? [['Scope', `\`${scope}\``]] : []),
    ...(own.length > 0 ? [['Own options', own.map((each) => `\`${each}\``).join(', ')]] : []),
    ...(type === 'webauthn' ? [['Options', '[those of all passkey providers](../guides/passkeys.md#options)']] : []),
    ...(link ? [['Documentation', `<${link}>`]] : []),
  ]
  return `<a id="${id}"></a>

## ${name}

${about}

\`\`\`ts
import ${functionName} from 'server-auth/providers/${id}'
\`\`\`

| | |
|---|---|
${rows.map(([head, value]) => `| ${head} | ${value} |`).join('\n')}
`
}

const providers = await Promise.all(ids.sort().map(describe))
const text = write(providers.sort((a, b) => a.name.localeCompare(b.name, 'en')))

if (process.argv.includes('--check')) {
  const before = readFileSync(page, 'utf8')
  if (before !== text) {
    console.error('docs/reference/providers.md is out of date: npm run docs:providers')
    process.exitCode = 1
  } else console.log(`${providers.length} providers are up to date.`)
} else {
  writeFileSync(page, text)
  console.log(`docs/reference/providers.md: ${providers.length} providers`)
}
