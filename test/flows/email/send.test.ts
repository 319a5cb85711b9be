/** Sending continues after the answer: what visitors can see of it, the log entries, and the end. */
import { expect } from 'chai'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import { AuthError } from '../../../lib/errors.js'
import { ServerAuth } from '../../../lib/index.js'
import type { VerificationRequest } from '../../../lib/types/provider.js'
import { setCookies, target } from '../../support/app.js'
import type { Answer } from '../../support/http-browser.js'
import { linkIn } from '../../support/mail-server.js'
import { useMailStage } from './stage.js'

const known = 'ann@example.com'
const unknown = 'nobody@example.com'

/** Returns everything of a logged error that a log could show. */
function everything(error: unknown): string {
  const lines: string[] = []
  for (let next = error; next instanceof Error; ) {
    lines.push(next.name, next.message, next.stack ?? '', JSON.stringify(next), JSON.stringify(next.cause) ?? '')
    next = next instanceof AuthError ? next.cause?.err : next.cause
  }
  return lines.join('\n')
}

describe('the answer to a request for a mail', () => {
  const stage = useMailStage()
  beforeEach(() => stage.adapter.createUser?.({ id: 'u1', email: known, name: 'Ann', emailVerified: new Date() }))

  const shape = (response: Answer) => ({
    status: response.status,
    target: target(response),
    body: response.text,
    headers: Object.keys(response.headers).sort(),
    cookies: setCookies(response).map((line) => line.replace(/=[^;]*/, '').replace(/Expires=[^;]*/, '')),
  })

  it('EM-14 is the same for known and unknown users, and so are the database queries', async () => {
    const seen = []
    for (const address of [known, unknown]) {
      const browser = stage.app.browser()
      await browser.csrf()
      stage.calls.length = 0
      const response = await stage.ask(address, { browser })
      await stage.settled()
      seen.push({ ...shape(response), called: stage.called() })
    }
    expect(seen[0]).to.deep.equal(seen[1])
    expect(seen[0]?.called).to.deep.equal([
      'getUserByEmail',
      // For the security stamp.
      'getUserByEmail',
      'deleteVerificationTokens',
      'createVerificationToken',
    ])
    expect(stage.server.mails.map(({ to }) => to[0])).to.deep.equal([known, unknown])
  })

  it('sets both cookies of the same length', async () => {
    const lengths = []
    for (const address of ['known@example.com', 'nobod@example.com']) {
      const browser = stage.app.browser()
      await stage.ask(address, { browser })
      lengths.push(browser.cookies.get('auth.transaction.email')?.length)
    }
    expect(lengths[0]).to.be.a('number').and.to.equal(lengths[1])
  })

  for (const mood of ['holds', 'silent', 'refuses', 'breaks'] as const) {
    it(`EM-14 is the same where the mail server ${mood === 'silent' ? 'is silent' : mood}`, async () => {
      const [first, second] = [stage.app.browser(), stage.app.browser()]
      const good = shape(await stage.ask(known, { browser: first }))
      await stage.settled()
      stage.server.mood = mood
      expect(shape(await stage.ask(known, { browser: second }))).to.deep.equal(good)
      if (mood === 'holds' || mood === 'silent') {
        await stage.server.held()
        expect(stage.server.mails).to.have.length(1)
        stage.server.mood = 'takes'
        stage.server.release()
        await stage.settled()
        expect(stage.server.mails).to.have.length(2)
        expect(stage.logged()).to.deep.equal([])
      } else {
        await stage.settled()
        expect(stage.logged()).to.deep.equal(['EmailSignInError'])
      }
    })
  }

  it('EM-14 is the same while the mail server is down, and mails come again when it is back, without a restart', async () => {
    const good = shape(await stage.ask(known))
    await stage.server.next()
    await stage.server.stop()
    try {
      expect(shape(await stage.ask(known, { browser: stage.app.browser() }))).to.deep.equal(good)
      await stage.settled()
    } finally {
      await stage.server.start()
    }
    expect(stage.logged()).to.deep.equal(['EmailSignInError'])
    const browser = stage.app.browser()
    await stage.expectSignedIn(await browser.get(await stage.linkFor(known, { browser })), known, { browser })
  })

  it('is sent before the function that sends is called', async () => {
    const order: string[] = []
    await stage.restart({ sendVerificationRequest: () => void order.push('send') })
    const csrfToken = await stage.browser.csrf()
    await new Promise<void>((resolve) => {
      stage.app.server.once('request', (_request, response) => {
        const end = response.end.bind(response) as (...message: unknown[]) => unknown
        Object.assign(response, {
          end: (...message: unknown[]) => {
            order.push('answer')
            return end(...message)
          },
        })
        resolve()
      })
      void stage.browser.post('/auth/signin/email', { csrfToken, email: known })
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await stage.settled()
    expect(order).to.deep.equal(['answer', 'send'])
  })

  it('does not wait for a function that never ends', async () => {
    await stage.restart({ sendVerificationRequest: () => new Promise(() => {}) }, { timeout: 0.1 })
    expect((await stage.ask(known)).status).to.equal(303)
    await stage.settled()
    expect(stage.logged()).to.deep.equal(['EmailSignInError'])
    expect(everything(stage.app.log.errors[0])).to.match(/TimeoutError/)
  })
})

describe('a mail that cannot be sent', () => {
  const stage = useMailStage()
  const address = "o'brien+secret@example.com"

  /** Checks that neither the log nor the `failure` event has content of the mail. */
  async function expectTold(): Promise<string> {
    await stage.settled()
    expect(stage.logged()).to.deep.equal(['EmailSignInError'])
    const [error] = stage.app.log.errors
    const text = everything(error)
    const [stored] = stage.calls.flatMap(({ method, args: [row] }) =>
      method === 'createVerificationToken' ? [(row as { token: string }).token] : [],
    )
    expect(text).to.not.include('brien').and.not.include('secret@').and.not.include('/auth/callback/')
    expect(text).to.not.include(stored)
    expect(text).to.not.match(/[0-9a-f]{40}/)
    expect(stage.failures).to.have.length(1)
    const [failure] = stage.failures
    expect(failure).to.include({ type: 'EmailSignInError', action: 'signin', provider: 'email', error })
    expect(failure?.request).to.have.property('ip')
    return text
  }

  it('is logged and reported, if the server rejects the recipient', async () => {
    stage.server.mood = 'refuses'
    await stage.ask(address)
    const text = await expectTold()
    expect(text)
      .to.match(/no such mailbox/)
      .and.match(/"responseCode":550/)
      .and.match(/"code":"EENVELOPE"/)
  })

  it('is logged and reported, if the server ends the connection', async () => {
    stage.server.mood = 'breaks'
    await stage.ask(address)
    await expectTold()
  })

  it('is logged and reported, if the server is silent for too long', async () => {
    await stage.restart({}, { timeout: 0.2 })
    stage.server.mood = 'silent'
    await stage.ask(address)
    expect(await expectTold()).to.match(/`sendVerificationRequest` took longer than 0.2 seconds/)
  })

  for (const [what, fail] of Object.entries<(mail: VerificationRequest) => unknown>({
    'throws at once': () => {
      throw new Error('no mail today')
    },
    rejects: () => Promise.reject(new Error('no mail today')),
    'rejects with all it knows': (mail) =>
      Promise.reject(
        new Error(`no mail today: ${mail.identifier} ${mail.url} ${mail.token} ${JSON.stringify(mail.mail)}`),
      ),
    'throws what is no error': (mail) => {
      throw `no mail today ${mail.url}`
    },
    'throws nothing': () => {
      throw undefined
    },
  })) {
    it(`is logged and reported, if the function ${what}`, async () => {
      await stage.restart({ sendVerificationRequest: fail as () => void })
      expect((await stage.ask(address)).status).to.equal(303)
      await expectTold()
    })
  }

  it('is logged without a short code, whatever text surrounds it', async () => {
    await stage.restart({
      generateVerificationToken: () => '493027',
      sendVerificationRequest: ({ token, url }) => {
        throw new Error(`SMS gateway: <<${token}>> not sent (${url})`)
      },
    })
    await stage.ask(address)
    const text = await expectTold()
    expect(text).to.include('SMS gateway').and.not.include('493027')
  })

  it('does no harm if the logger and the event fail as well', async () => {
    await stage.restart(
      {
        sendVerificationRequest: () => {
          throw new Error('x')
        },
      },
      {
        logger: {
          error: () => {
            throw new Error('logger')
          },
        },
        events: {
          failure: () => {
            throw new Error('event')
          },
        },
      },
    )
    expect((await stage.ask(address)).status).to.equal(303)
    await stage.settled()
  })

  it('keeps the link valid, because it is stored', async () => {
    let mailed = ''
    await stage.restart({
      sendVerificationRequest: ({ url }) => {
        mailed = url
        throw new Error('sent, but not thanked for')
      },
    })
    await stage.ask(address)
    await stage.settled()
    await stage.expectSignedIn(await stage.browser.get(mailed), address)
  })
})

describe('`sendVerificationRequest` of the developer', () => {
  const stage = useMailStage()

  it('gets the values that it needs, and none that the library still uses', async () => {
    const got: VerificationRequest[] = []
    const sendVerificationRequest = (request: VerificationRequest) => {
      got.push(request)
      Object.assign(request.theme, { brandColor: '#000000' })
    }
    await stage.restart({ sendVerificationRequest }, { theme: { brandColor: '#ff0000' } })
    for (let at = 0; at < 2; at += 1) {
      await stage.ask('ann@example.com', { headers: { 'accept-language': 'de', 'user-agent': 'Test/1.0' } })
      await stage.settled()
    }
    const [first, second] = got
    expect(first?.identifier).to.equal('ann@example.com')
    expect(new URL(first?.url ?? '').searchParams.get('token')).to.equal(first?.token)
    expect(first?.expires).to.be.an.instanceOf(Date)
    expect(first?.provider).to.include({ id: 'email', type: 'email' })
    expect(first?.request).to.be.an.instanceOf(Request)
    expect(first?.request.url).to.equal(`${stage.app.origin}/auth/signin/email`)
    expect(first?.request.headers.get('accept-language')).to.equal('de')
    expect(first?.mail.subject).to.be.a('string').and.not.equal('')
    expect(linkIn({ text: first?.mail.text ?? '' })).to.equal(first?.url)
    expect(first?.mail.html).to.include('href="')
    expect(second?.request.headers.get('user-agent')).to.equal('Test/1.0')
  })
})

describe('close()', () => {
  const stage = useMailStage()

  it('waits for pending mails, and for the reports of failed ones', async () => {
    stage.server.mood = 'holds'
    await stage.ask('ann@example.com')
    await stage.server.held()
    const done: string[] = []
    const closing = ServerAuth(stage.app.config)
      .close()
      .then(() => done.push('closed'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(done).to.deep.equal([])
    stage.server.release()
    await closing
    expect(stage.server.mails).to.have.length(1)
  })

  it('ends immediately if there are none', async () => {
    await ServerAuth({ ...stage.app.config, adapter: memoryAdapter() }).close()
  })
})
