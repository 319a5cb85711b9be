/** Tests of `GET|POST signin[/:provider]` over HTTP: the page, custom pages, hostile queries. */

import { expect } from 'chai'
import type { Provider, ServerAuthConfig } from '../../lib/index.js'
import { credentials, setCookies, startApp, type TestApp, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { withoutOwnScript } from '../support/own-scripts.js'
import { formActions, heading, inputs, startAppWithEnv } from './page.js'

function oidc(id: string, rest: object = {}): Provider {
  return {
    id,
    name: id,
    type: 'oidc',
    issuer: 'https://op.test',
    clientId: 'c',
    clientSecret: 's',
    ...rest,
  } as Provider
}

async function withApp(config: Partial<ServerAuthConfig>, test: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await startApp(config)
  try {
    await test(app)
  } finally {
    await app.close()
  }
}

function message(page: Answer): string | undefined {
  return /<div class="error" role="alert"><p>([^<]*)<\/p>/.exec(page.text)?.[1]
}

function directives(page: Answer): Map<string, string> {
  const policy: string = page.headers['content-security-policy'] ?? ''
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ')
      return [name, values.join(' ')]
    }),
  )
}

describe('GET /auth/signin', () => {
  const app = opened(() =>
    startApp({
      providers: [
        oidc('zeta', { name: 'Zeta' }),
        credentials(),
        oidc('alpha', { name: 'Alpha' }),
        credentials({ id: 'hidden', name: 'Hidden', credentials: {} }),
      ],
    }),
  )

  it('shows the providers in the order of the configuration', async () => {
    const page = await app.browser().get('/auth/signin')
    expect(page.status).to.equal(200)
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(heading(page)).to.equal('Sign in')
    expect(formActions(page)).to.deep.equal([
      `${app.origin}/auth/signin/zeta`,
      `${app.origin}/auth/callback/credentials`,
      `${app.origin}/auth/signin/alpha`,
    ])
    expect(page.text).to.include('Sign in with Zeta').and.include('Sign in with Alpha')
    expect(inputs(page, 'username')).to.have.length(1)
    expect(message(page)).to.equal(undefined)
  })

  it('carries token, callback URL and marker in each form', async () => {
    const browser = app.browser()
    const page = await browser.get('/auth/signin?callbackUrl=%2Fwanted')
    const csrfToken = await browser.csrf()
    expect(inputs(page, 'csrfToken')).to.deep.equal([csrfToken, csrfToken, csrfToken])
    expect(inputs(page, 'callbackUrl')).to.deep.equal(Array(3).fill(`${app.origin}/wanted`))
    expect(inputs(page, 'navigation')).to.deep.equal(['form', 'form', 'form'])
    expect(browser.cookies.get('auth.callback-url')).to.equal(encodeURIComponent(`${app.origin}/wanted`))
  })

  it('works as the form that it is', async () => {
    const browser = app.browser()
    const page = await browser.get('/auth/signin?callbackUrl=%2Fwanted')
    const fields = {
      csrfToken: inputs(page, 'csrfToken')[1],
      callbackUrl: inputs(page, 'callbackUrl')[1],
      navigation: inputs(page, 'navigation')[1],
      username: 'ann',
      password: 'right',
    }
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', origin: app.origin }
    const end = await browser.post(formActions(page)[1] ?? '', fields, headers)
    expect(end.status).to.equal(303)
    expect(target(end)).to.equal(`${app.origin}/wanted`)
    expect(await browser.session()).to.have.nested.property('user.name', 'ann')
  })

  it('shows one provider under its own path', async () => {
    const page = await app.browser().get('/auth/signin/alpha?callbackUrl=%2Fx')
    expect(page.status).to.equal(200)
    expect(formActions(page)).to.deep.equal([`${app.origin}/auth/signin/alpha`])
    expect(inputs(page, 'callbackUrl')).to.deep.equal([`${app.origin}/x`])
  })

  for (const id of ['nobody', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '%3Cscript%3E']) {
    it(`answers 404 for the provider ${id}`, async () => {
      const page = await app.browser().get(`/auth/signin/${id}`)
      expect(page.status).to.equal(404)
      expect(page.type).to.equal('text/html')
      expect(heading(page)).to.equal('Unknown sign-in method')
      const json = await app.browser().get(`/auth/signin/${id}`, { accept: 'application/json' })
      expect(json.status).to.equal(404)
      expect(json.body).to.deep.equal({
        error: 'InvalidProvider',
        message: 'This site does not offer this sign-in method. Please choose another one.',
      })
    })
  }

  it('shows errors of known types only', async () => {
    const browser = app.browser()
    const told = async (error: string) => message(await browser.get(`/auth/signin?error=${error}`))
    expect(await told('CredentialsSignin')).to.include('not correct')
    expect(await told('OAuthAccountNotLinked')).to.include('the way you did the first time')
    expect(await told('MissingCSRF')).to.include('open for too long')
    expect(await told('OAuthCallbackError')).to.include('not completed')
    const generic = await told('Whatever')
    expect(generic).to.include('did not work')
    for (const odd of ['constructor', '__proto__', 'toString', 'a'.repeat(10_000)]) {
      expect(await told(odd)).to.equal(generic)
    }
  })

  for (const payload of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    '</title></style><script>alert(1)</script>',
    '{{7*7}}',
    '\0<b>',
  ]) {
    it(`XS-02 shows nothing of ${JSON.stringify(payload)}`, async () => {
      const odd = encodeURIComponent(payload)
      const query = `error=${odd}&code=${odd}&callbackUrl=${encodeURIComponent(`/x?${payload}`)}&${odd}=${odd}`
      const page = await app.browser().get(`/auth/signin?${query}`)
      expect(page.status).to.equal(200)
      // The callback URL stays what it is, an attribute of its input; nothing else says a word of the query.
      expect(page.text.replace(/<input type="hidden" name="callbackUrl"[^>]*>/g, '')).to.not.include(payload)
      expect(withoutOwnScript(page.text).match(/<(script|img|svg|b)\b/gi)).to.equal(null)
      const [callbackUrl = ''] = inputs(page, 'callbackUrl')
      expect(callbackUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+\/x\?/)
      expect(message(page)).to.include('did not work')
    })
  }

  it('takes nothing but error and callbackUrl from the query', async () => {
    const browser = app.browser()
    const plain = await browser.get('/auth/signin')
    const query = ['csrfToken', 'providers', 'entries', 'frame', 'theme', 'nonce', 'signinUrl', 'email', 'username']
      .map((name) => `${name}=injected-value`)
      .join('&')
    const page = await browser.get(`/auth/signin?${query}`)
    const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
    expect(withoutNonce(page.text)).to.equal(withoutNonce(plain.text))
    expect(page.headers).to.not.have.property('location')
  })

  it('XS-07 has a strict policy whose nonce is that of the style and of the one script', async () => {
    const [first, second] = [await app.browser().get('/auth/signin'), await app.browser().get('/auth/signin')]
    const nonces = [first, second].map((page) => /<style nonce="([^"]+)">/.exec(page.text)?.[1])
    expect(nonces[0]).to.match(/^[\w-]{20,}$/)
    expect(nonces[0]).to.not.equal(nonces[1])
    expect(Object.fromEntries(directives(first))).to.deep.equal({
      'default-src': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
      'form-action': "'self'",
      'img-src': "'self' data:",
      'script-src': `'nonce-${nonces[0]}'`,
      'style-src': `'nonce-${nonces[0]}'`,
    })
    expect(first.text.match(/<style/g)).to.have.length(1)
    expect(withoutOwnScript(first.text)).to.not.match(
      /<script|\son\w+=|\sstyle=|javascript:|https?:\/\/(?!127\.0\.0\.1)/i,
    )
  })

  it('XS-08 cannot be framed or cached, and sends no referrer to other sites', async () => {
    const { headers } = await app.browser().get('/auth/signin')
    expect(headers).to.include({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'private, no-cache, no-store',
    })
    expect(headers.vary).to.match(/\bCookie\b/)
  })

  it('has a body only for GET, and sets no cookie for HEAD', async () => {
    const head = await app.browser().send('head', '/auth/signin?callbackUrl=%2Fx')
    expect(head.status).to.equal(200)
    expect(head.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(setCookies(head)).to.deep.equal([])
  })
})

describe('GET /auth/signin: names, logos and colours of the configuration', () => {
  const evil = '</style><script>alert(1)</script>'

  it('XS-03 escapes the provider’s name', () =>
    withApp({ providers: [oidc('op', { name: evil }), credentials({ name: `"><b>${evil}` })] }, async (app) => {
      const page = await app.browser().get('/auth/signin')
      expect(page.status).to.equal(200)
      expect(withoutOwnScript(page.text)).to.not.include('<script').and.not.include('<b>')
      expect(page.text).to.include('&#60;/style&#62;&#60;script&#62;')
      expect(page.text.match(/<\/style>/g)).to.have.length(1)
    }))

  it('XS-03 leaves out invalid logos and colours, or rejects them at start', async () => {
    for (const style of [
      { logo: 'javascript:alert(1)' },
      { logo: '//evil.test/x.svg' },
      { logo: '"><script>alert(1)</script>' },
      { logo: 'data:image/svg+xml,<svg onload=alert(1)>' },
      { brandColor: `red;}${evil}` },
      { bg: evil, text: evil },
      { brandColor: 'url(https://evil.test)' },
    ]) {
      const app = await startApp({ providers: [oidc('op', { style })] }).catch((error: unknown) => {
        expect(error).to.have.property('type', 'InvalidConfiguration')
      })
      if (!app) continue
      const page = await app.browser().get('/auth/signin')
      expect(page.status).to.equal(200)
      expect(withoutOwnScript(page.text), JSON.stringify(style)).to.not.match(
        /<script|<svg|javascript:|evil\.test|red;/,
      )
      expect(page.headers['content-security-policy']).to.not.include('evil.test')
      await app.close()
    }
  })

  it('XS-03 rejects an invalid theme at start', async () => {
    for (const theme of [
      { brandColor: evil },
      { buttonText: 'red' },
      { colorScheme: evil },
      { logo: 'javascript:alert(1)' },
      { logoDark: 'javascript:alert(1)' },
      { logoDark: 1 },
      { name: '' },
      { name: ' ' },
      { name: 'Acme\r\nBcc: all@example.com' },
      { name: 'x'.repeat(101) },
      { name: 7 },
    ]) {
      const error = await startApp({ theme } as Partial<ServerAuthConfig>).then(
        (app) => app.close(),
        (thrown: unknown) => thrown,
      )
      expect(error, JSON.stringify(theme)).to.have.property('type', 'InvalidConfiguration')
    }
  })

  it('XS-09 allows the origin of a logo that the developer chose, and no other', () =>
    withApp(
      {
        theme: { logo: 'https://cdn.test/logo.svg', logoDark: 'https://dark.test/logo.svg' },
        providers: [oidc('op', { style: { logo: 'https://i.test/x' } })],
      },
      async (app) => {
        const page = await app.browser().get('/auth/signin')
        expect(directives(page).get('img-src')).to.equal(
          "'self' data: https://cdn.test https://dark.test https://i.test",
        )
        expect(page.text).to.include('<img class="logo" src="https://cdn.test/logo.svg" alt="">')
      },
    ))
})

describe('GET /auth/signin with a custom page', () => {
  for (const [signIn, expected] of [
    ['/sign-in', '/sign-in?'],
    ['/l?x=1', '/l?x=1&'],
    ['/l?x=a%26b#part', '/l?x=a%26b&'],
  ] as const) {
    it(`XS-12 goes to ${signIn} with callbackUrl, error and code`, () =>
      withApp({ pages: { signIn } }, async (app) => {
        const there = target(await app.browser().get('/auth/signin?callbackUrl=%2Fx&error=A%26b&code=c%3D1'))
        expect(there.startsWith(app.origin + expected)).to.equal(true)
        const { searchParams, hash } = new URL(there)
        expect(searchParams.get('callbackUrl')).to.equal(`${app.origin}/x`)
        expect(searchParams.get('error')).to.equal('A&b')
        expect(searchParams.get('code')).to.equal('c=1')
        expect(hash).to.equal(new URL(signIn, app.origin).hash)
        const bare = await app.browser().get('/auth/signin')
        expect(bare.status).to.equal(302)
        expect([...new URL(target(bare)).searchParams.keys()]).to.not.include.members(['error'])
        expect(target(bare)).to.not.include('undefined')
      }))
  }

  it('XS-12 goes to an absolute URL as it is, and warns at start', () =>
    withApp({ pages: { signIn: 'https://login.example.com/in?tenant=1' } }, async (app) => {
      const there = new URL(target(await app.browser().get('/auth/signin?error=Callback')))
      expect(there.origin + there.pathname).to.equal('https://login.example.com/in')
      expect(there.searchParams.get('tenant')).to.equal('1')
      expect(there.searchParams.get('error')).to.equal('Callback')
      expect(there.searchParams.get('callbackUrl')).to.equal(`${app.origin}/`)
      expect(app.log.warnings.map(({ code }) => code)).to.include('foreign-page')
    }))

  it('is the target of failed sign-ins too', () =>
    withApp({ pages: { signIn: '/l?x=1' } }, async (app) => {
      const end = await app.browser().signIn({ password: 'wrong' })
      expect(target(end)).to.equal(`${app.origin}/l?x=1&error=CredentialsSignin&code=credentials`)
    }))

  it('shows the built-in page if the option names our own endpoint', () =>
    withApp({ pages: { signIn: '/auth/signin' } }, async (app) => {
      const page = await app.browser().get('/auth/signin?error=CredentialsSignin')
      expect(page.status).to.equal(200)
      expect(heading(page)).to.equal('Sign in')
      expect(message(page)).to.include('not correct')
    }))

  for (const signIn of ['javascript:alert(1)', '//evil.test/x', 'ftp://x.test', 'sign-in', '', 'https://a:b@x.test/']) {
    it(`XS-05 refuses ${JSON.stringify(signIn)} at start`, async () => {
      const error = await startApp({ pages: { signIn } }).then(
        (app) => app.close(),
        (thrown: unknown) => thrown,
      )
      expect(error).to.have.property('type', 'InvalidConfiguration')
      expect(error).to.have.property('message').that.includes('pages.signIn')
    })
  }
})

describe('the callback URL and a failed sign-in', () => {
  const app = opened(() => startApp())

  it('is kept from the page to the next try', async () => {
    const browser = app.browser()
    await browser.get('/auth/signin?callbackUrl=%2Fwanted')
    const failed = await browser.submit('/auth/callback/credentials', { username: 'ann', password: 'wrong' })
    expect(failed.status).to.equal(303)
    expect(target(failed)).to.equal(`${app.origin}/auth/signin?error=CredentialsSignin&code=credentials`)
    const page = await browser.get(target(failed))
    expect(message(page)).to.include('not correct')
    expect(inputs(page, 'callbackUrl')).to.deep.equal([`${app.origin}/wanted`])
    const end = await browser.signIn({ callbackUrl: inputs(page, 'callbackUrl')[0] })
    expect(target(end)).to.equal(`${app.origin}/wanted`)
  })

  it('is that of the form, even if another tab asked for another one since', async () => {
    const browser = app.browser()
    const [first = ''] = inputs(await browser.get('/auth/signin?callbackUrl=%2Ffirst'), 'callbackUrl')
    await browser.get('/auth/signin?callbackUrl=%2Fsecond')
    const failed = await browser.signIn({ callbackUrl: first, password: 'wrong' })
    expect(inputs(await browser.get(target(failed)), 'callbackUrl')).to.deep.equal([`${app.origin}/first`])
  })

  it('does not show the typed text again to a client that does not use our form', async () => {
    const browser = app.browser()
    const failed = await browser.signIn({ username: 'typed-user-name', password: 'typed-password' })
    expect(browser.cookies.has('auth.typed')).to.equal(false)
    expect(target(failed)).to.not.include('typed')
    const page = await browser.get(target(failed))
    expect(page.text).to.not.include('typed')
    expect([...browser.cookies.values()].join()).to.not.include('typed')
  })
})

describe('POST /auth/signin', () => {
  const app = opened(() => startApp({ providers: [credentials()] }))

  it('without a provider goes to the page', async () => {
    const response = await app.browser().submit('/auth/signin', { callbackUrl: '/x' })
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/auth/signin`)
  })

  it('for credentials goes to the page: the form is there', async () => {
    const response = await app.browser().submit('/auth/signin/credentials', { username: 'ann', password: 'right' })
    expect(response.status).to.equal(303)
    expect(target(response)).to.equal(`${app.origin}/auth/signin`)
    expect(setCookies(response).join()).to.not.include('session-token')
  })

  it('for an unknown provider is 404', async () => {
    const response = await app.browser().submit('/auth/signin/nobody')
    expect(response.status).to.equal(404)
    expect(response.type).to.equal('text/html')
    expect(heading(response)).to.equal('Unknown sign-in method')
  })

  it('for an unknown provider shows the cause in development only', async () => {
    expect((await app.browser().submit('/auth/signin/nobody')).text).to.include('For developers')
    const production = await startAppWithEnv({ NODE_ENV: 'production' }, { trustHost: true })
    expect((await production.browser().submit('/auth/signin/nobody')).text).to.not.include('For developers')
    await production.close()
  })
})

describe('GET /auth/signin on another host than AUTH_URL’s', () => {
  it('goes to the right host first, once', async () => {
    const app = await startAppWithEnv({ AUTH_URL: 'https://app.test' })
    const browser = app.browser()
    const first = await browser.get('/auth/signin?callbackUrl=%2Fx', { host: 'other.test' })
    expect(first.status).to.equal(302)
    expect(target(first)).to.equal('https://app.test/auth/signin?callbackUrl=%2Fx&canonical=1')
    const second = await browser.get(target(first), { host: 'other.test' })
    expect(second.status).to.equal(200)
    expect(inputs(second, 'callbackUrl')).to.deep.equal(['https://app.test/x'])
    expect((await browser.get('/auth/signin', { host: 'app.test' })).status).to.equal(200)
    await app.close()
  })
})
