/** A Worker that reports the errors of what cannot run on Cloudflare Workers. */
import { connect } from 'server-auth/adapters/sql'
import { argon2id, bcrypt, bloomFile, defaultHasher } from 'server-auth/passwords'
import Email from 'server-auth/providers/email'
import initAuth, { type FullStackAuthConfig } from 'server-auth/shim'

/** Returns the message of the error that the work throws. */
async function messageOf(work: () => unknown): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await work())}`
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

const resolve = (providers: FullStackAuthConfig['providers']) => {
  const { auth } = initAuth({ secret: 'a-test-secret-of-more-than-32-characters', trustHost: true, providers })
  return auth(new Request('https://app.example/'), { headers: new Headers() })
}

const attempts: Readonly<Record<string, () => unknown>> = {
  argon2id: () => argon2id(),
  bcrypt: () => bcrypt(),
  bloomFile: () => bloomFile('passwords.bloom'),
  'connect, SQLite': () => connect('sqlite:app.db'),
  Email: () => resolve([Email({ server: 'smtp://mail.example', from: 'app@example.com' })]),
  clientCertificate: () =>
    resolve([
      {
        id: 'bank',
        name: 'Bank',
        type: 'oidc',
        issuer: 'https://bank.example',
        clientId: 'app',
        clientCertificate: { cert: 'cert', key: 'key' },
        client: { token_endpoint_auth_method: 'tls_client_auth' },
      },
    ]),
  // Without the native package, new passwords are hashed by scrypt.
  defaultHasher: async () => (await defaultHasher().hash('four words in a row')).split('$')[1],
  'Argon2, stored': async () => {
    const salt = 'c29tZXNhbHRzb21lc2FsdA'
    const hash = `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${'A'.repeat(43)}`
    return defaultHasher().verify(hash, 'four words in a row')
  },
}

export default {
  async fetch() {
    const entries = Object.entries(attempts).map(async ([name, work]) => [name, await messageOf(work)] as const)
    return Response.json(Object.fromEntries(await Promise.all(entries)))
  },
}
