/** Tests of `npm run check:words`: it reports the sentences that the project refuses, and no plain developer English. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { longestSentence, reportsOn, rules } from '../../scripts/words-rules.mjs'
import { type Passage, passagesOfSource } from '../../scripts/words-source.mjs'
import { passagesOfPage, plain, sentencesOf } from '../../scripts/words-text.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

const namesOf = (kind: Passage['kind'], text: string) =>
  reportsOn([{ kind, line: 1, text: plain(text) }]).map(({ rule }) => rule)

/** Pages of packages that `npm ci` installs. Their English is plain: a report on it is a false alarm. */
const pages = [
  'cookie-parser/README.md',
  'cookie/README.md',
  'express/Readme.md',
  'fast-check/README.md',
  'helmet/README.md',
  'helmet/SECURITY.md',
  'hono/README.md',
  'ioredis/README.md',
  'jose/README.md',
  'kysely/README.md',
  'nodemailer/README.md',
  'nodemailer/SECURITY.md',
  'oidc-provider/README.md',
  'openid-client/README.md',
  'pg/README.md',
  'pino/README.md',
  'pino/docs/api.md',
  'pino/docs/help.md',
  'pino/docs/transports.md',
  'rate-limiter-flexible/README.md',
  'redis/README.md',
  'supertest/README.md',
  'undici/README.md',
  'undici/docs/docs/api/Dispatcher.md',
  'ws/README.md',
]

/** Sentences that must be reported: the rule, the kind of text, the sentence. */
const refused: [rule: string, kind: Passage['kind'], text: string][] = [
  ['doc-start', 'doc', 'What the session callback returns.'],
  ['doc-start', 'doc', 'Who signs in, and how.'],
  ['doc-start', 'doc', 'Whose session it is.'],
  ['doc-start', 'doc', 'Where the routes are.'],
  ['doc-whether', 'doc', 'Whether the cookie is secure.'],
  ['doc-start', 'doc', 'How many passwords are hashed at once.'],
  ['doc-start', 'doc', 'Which passwords are accepted.'],
  ['doc-start', 'doc', 'Whatever the provider sent.'],
  ['doc-start', 'doc', 'Whoever asks again gets the same reading.'],
  ['doc-start', 'doc', 'Why the request was refused.'],
  ['doc-when', 'doc', 'When the session ends.'],
  ['doc-preposition', 'doc', 'By which methods the user was authenticated.'],
  ['doc-preposition', 'doc', 'Of the session.'],
  ['doc-preposition', 'doc', 'By framework.'],
  ['doc-pronoun', 'doc', 'Those that were sent.'],
  ['doc-pronoun', 'doc', 'The same for a second factor.'],
  ['comment-start', 'comment', 'Which failures are final.'],
  ['clause-start', 'prose', 'Who has a second factor is asked for it.'],
  ['clause-start', 'prose', 'Who forgets the password gets in by those.'],
  ['clause-start', 'prose', 'What is signed out stays signed out.'],
  ['clause-start', 'message', 'The option is missing. What is stored is not encrypted.'],
  ['clause-start', 'comment', 'The cache is small. What has ended is removed.'],
  ['clause-start', 'comment', 'That the session ended is written first.'],
  ['title-start', 'title', 'what is no URL is refused'],
  ['whoever', 'prose', 'The link signs in whoever opens it.'],
  ['whatever', 'comment', 'Whatever has no words of its own.'],
  ['so-is', 'prose', 'So is a request without an origin.'],
  ['else', 'prose', 'The session ends. Else it continues.'],
  ['else', 'doc', 'The record is removed else.'],
  ['by-itself', 'comment', 'By itself it would load the other file.'],
  ['ours', 'doc', 'Ours: the memory adapter and the Redis adapter.'],
  ['of-yours', 'prose', 'Call it in a handler of yours.'],
  ['not-start', 'prose', 'Not after an email link.'],
  ['but-where', 'prose', 'The cookie is never sent but where the origin is known.'],
  ['aphorism', 'prose', 'It leads back to `/` by default: nobody knows which page the script belongs to.'],
  ['nobody', 'prose', 'A sign-in by OAuth 2 proves nobody’s presence.'],
  ['somebody', 'prose', 'The link opens somebody else’s account.'],
  ['again', 'prose', 'The user is asked once more.'],
  ['wish', 'comment', 'The wish of the provider is stored.'],
  ['counts-as', 'doc', 'The session counts as ended.'],
  ['counts-as', 'prose', 'A wrong code counts as a failed attempt.'],
  ['goes-by', 'comment', 'The limit goes by the address of the client.'],
  ['goes-on', 'prose', 'The session goes on in this browser.'],
  ['stands', 'comment', 'The version stands in the header.'],
  ['lies', 'comment', 'The file lies there for an hour.'],
  ['custom-page', 'prose', 'Add a sign-in page of your own.'],
  ['checkbox', 'doc', 'Whether the user ticked it.'],
  ['checkbox', 'prose', 'The page has a box that keeps the user signed in.'],
  ['programs', 'prose', 'The answer is JSON for programs.'],
  ['pending', 'doc', 'The sign-in that waits in this browser.'],
  ['let-in', 'prose', 'A request with this header is let through.'],
  ['let-in', 'comment', 'It lets nobody in.'],
  ['turned-away', 'prose', 'The user is turned away by it.'],
  ['gets-in', 'prose', 'An attacker gets in by a guessed code.'],
  ['way-in', 'prose', 'A passkey is another way to sign in.'],
  ['way-in', 'doc', 'Removes the last way in.'],
  ['mailed', 'prose', 'A mailed link works once.'],
  ['people', 'prose', 'The page on which people end their sessions.'],
  ['people', 'doc', 'The name of the person.'],
  ['told', 'doc', 'The logger is told at once.'],
  ['told', 'doc', 'The claims that the endpoint tells.'],
  ['asked', 'comment', 'The store is asked at each request.'],
  ['proved', 'prose', 'A proved address belongs to one user.'],
  ['in-the-place', 'comment', 'A copy in the place of the original.'],
]

/** Sentences that must not be reported. */
const accepted: [kind: Passage['kind'], text: string][] = [
  ['doc', 'Checks whether the cookie is secure.'],
  ['doc', 'The value returned by the `session` callback.'],
  ['doc', 'When the token has expired, returns `null`.'],
  ['doc', 'When true the path is resolved.'],
  ['doc', 'Creates the URL. What is a valid host? See RFC 3986 §3.2.2.'],
  ['doc', 'The other headers, by lower-case name.'],
  ['doc', 'The same as `read`, without the lock.'],
  ['doc', 'By default, the file is read once.'],
  ['tag', 'Whether the user has a password.'],
  ['tag', 'What to search for.'],
  ['comment', 'Where possible, the key is reused.'],
  ['comment', 'Throws if the file is missing, or else returns its content.'],
  ['comment', 'The else branch is never taken.'],
  ['title', 'returns what the callback returned'],
  ['title', 'rejects a token that has expired'],
  ['message', 'The provider "x" is unknown. Add it to `providers`.'],
  ['prose', 'When the server starts, it reads the configuration.'],
  ['prose', 'Users who forget their password can sign in with a recovery code.'],
  ['prose', 'What this means is that each process has its own cache.'],
  ['prose', 'What is OpenID Connect?'],
  ['prose', 'What you need:'],
  ['prose', 'Whether you use Express or Hono, the options are the same.'],
  ['prose', 'How a session is read depends on the strategy.'],
  ['prose', 'Someone else may have changed the record, and nothing else is known.'],
  ['prose', 'JWT stands for JSON Web Token.'],
  ['prose', 'The new server can stand in for the old one.'],
  ['prose', 'Not all browsers support passkeys.'],
  ['prose', 'Of the three options, the first one is the default.'],
  ['prose', 'Each product has its own page.'],
  ['prose', 'Send the form from a page of your own site.'],
  ['prose', 'The base path is `basePath`, else the path of `AUTH_URL`.'],
  ['prose', '`gap` stands for records that were lost.'],
  ['prose', 'Otherwise concurrent requests create two users for one person.'],
  ['prose', 'A person at an unlocked screen could take over the account of another person.'],
  ['comment', 'The attempt stays counted as a failure.'],
  ['comment', 'The value is not hashed, whoever the user is.'],
  ['cell', 'Who calls'],
  ['prose', 'Some people prefer tabs.'],
  ['prose', 'An empty entry counts as one element of the array.'],
  ['prose', 'It works out of the box.'],
  ['prose', 'The way in which the token is stored depends on the adapter.'],
  ['prose', 'The middleware tells the browser to keep the page.'],
  ['prose', 'The client is told to retry, and continues on the next page.'],
  ['prose', 'Note: nothing is sent in tests.'],
  ['prose', 'Let users in other groups read the page.'],
  ['prose', 'Call `nobody.goesOn()` and `else` as code.'],
  ['heading', 'What you need'],
  ['heading', 'Who is this for'],
  ['cell', 'What it stores'],
]

describe('check:words, the rules', () => {
  for (const [rule, kind, text] of refused) {
    it(`reports ${rule} in a ${kind}: ${text}`, () => expect(namesOf(kind, text)).to.include(rule))
  }

  for (const [kind, text] of accepted) {
    it(`accepts in a ${kind}: ${text}`, () => expect(namesOf(kind, text)).to.deep.equal([]))
  }

  it('have a refused sentence each', () => {
    expect([...new Set(rules.map(({ name }) => name))]).to.have.members([...new Set(refused.map(([rule]) => rule))])
  })

  it('report a long sentence of a page, and no long comment', () => {
    const text = `The ${'word '.repeat(longestSentence)}ends.`
    expect(namesOf('prose', text)).to.deep.equal(['long'])
    expect(namesOf('comment', text)).to.deep.equal([])
  })

  it('leave out terms of developers in texts for users', () => {
    const passage: Passage = { kind: 'message', line: 1, text: 'Many visitors: people use this page.' }
    expect(reportsOn([passage])).to.have.length(1)
    expect(reportsOn([passage], { forUsers: true })).to.deep.equal([])
  })

  it('say which line a phrase begins on', () => {
    const text = 'The first line.\nThe second line, and\nnobody in the third.\n\nA mailed\nlink.'
    const found = reportsOn([{ kind: 'prose', line: 10, text }])
    expect(found.map(({ rule, line }) => [rule, line])).to.deep.equal([
      ['nobody', 12],
      ['mailed', 14],
    ])
  })
})

describe('check:words on the documentation of other packages', () => {
  for (const page of pages) {
    it(`reports nothing in ${page}`, () => {
      const passages = passagesOfPage(readFileSync(join(root, 'node_modules', page), 'utf8'))
      expect(passages.length).to.be.above(4)
      // The length of sentences is a rule of this project only.
      expect(reportsOn(passages).filter(({ rule }) => rule !== 'long')).to.deep.equal([])
    })
  }
})

const textsOf = (passages: readonly Passage[]) => passages.map(({ kind, line, text }) => `${line} ${kind}: ${text}`)

describe('check:words, the texts of source files', () => {
  it('are comments, tags of doc comments and titles of tests, with their lines', () => {
    const source = [
      '/** Reads `a`. */',
      'const a = 1 // Behind code.',
      '// Two lines',
      '// of one comment.',
      '/**',
      ' * Writes it.',
      ' * @param a The value.',
      ' * @example',
      ' * nobody()',
      ' */',
      "it('writes it', () => {})",
      '/** Ends. @throws {Error} if it is late. @see a.ts */',
      `describe.skip(\`reads \${a} twice\`, () => {})`,
    ].join('\n')
    expect(textsOf(passagesOfSource(source))).to.deep.equal([
      '1 doc: Reads `x`.',
      '2 comment: Behind code.',
      '3 comment: Two lines\nof one comment.',
      '6 doc: Writes it.',
      '7 tag: The value.',
      '11 title: writes it',
      '12 doc: Ends.',
      '12 tag: if it is late.',
      '13 title: reads `x` twice',
    ])
  })

  it('are not what looks like a comment in a string, a template or a regular expression', () => {
    const source = [
      'const url = "https://example.com" + \'/* no comment */\'',
      `const page = \`// no \${ f({ a: \`}\` }) /* yes */ } // comment\``,
      'const path = /[/*]\\/\\/"\'/g.test(url) ? 4 / 2 / 1 : 1 // The end.',
      'const view = <a href="/">It’s a link</a> // The view.',
    ].join('\n')
    expect(textsOf(passagesOfSource(source))).to.deep.equal([
      '2 comment: yes',
      '3 comment: The end.',
      '4 comment: The view.',
    ])
  })

  it('are messages where asked for: sentences, joined ones as one, and neither SQL nor HTML', () => {
    const source = [
      "throw new Error('The first part ' +",
      `  \`of \${name} is missing. \` + 'Set it.')`,
      "const sql = 'SELECT id FROM the users where it is'",
      "const html = '<p>some words of a page</p>'",
    ].join('\n')
    expect(textsOf(passagesOfSource(source, { messages: true }))).to.deep.equal([
      '1 message: The first part of `x` is missing. Set it.',
    ])
    expect(passagesOfSource(source)).to.deep.equal([])
  })
})

describe('check:words, the texts of pages', () => {
  it('are paragraphs, items, cells and headings, without code and generated parts', () => {
    const page = [
      '---',
      'title: Front matter',
      '---',
      '# A *heading*',
      '',
      'A [link](https://example.com/a)',
      'and `code`.',
      '',
      '```js',
      'nobody()',
      '```',
      '- An item',
      '  with two lines.',
      '',
      '| Name | Meaning |',
      '|---|---|',
      '| `a` | the value |',
      '<!-- Written by scripts/a.mjs, from here -->',
      'Generated.',
      '<!-- to here -->',
      '> The end.',
    ].join('\n')
    expect(textsOf(passagesOfPage(page))).to.deep.equal([
      '4 heading: A heading',
      '6 prose: A link\nand `x`.',
      '12 prose: An item\n  with two lines.',
      '15 cell: Name',
      '15 cell: Meaning',
      '17 cell: `x`',
      '17 cell: the value',
      '21 prose: The end.',
    ])
  })

  it('are cut into sentences, but not behind abbreviations', () => {
    const texts = sentencesOf('It reads files, e.g. JSON. “It writes.” Version 1.2 is new! `x` too.').map(
      ({ text }) => text,
    )
    expect(texts).to.deep.equal(['It reads files, e.g. JSON.', '“It writes.”', 'Version 1.2 is new!', '`x` too.'])
  })
})

describe('check:words, the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'))
  const bad = join(folder, 'bad.ts')
  const good = join(folder, 'good.md')
  const run = (...options: string[]) =>
    spawnSync(process.execPath, ['scripts/check-words.mjs', ...options], { cwd: root, encoding: 'utf8' })

  before(() => {
    writeFileSync(bad, 'const a = 1\n\n/** Who signs in. */\nconst b = 2\n')
    writeFileSync(good, '# Sessions\n\nA session ends after 30 days.\n')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('fails, and prints the file, the line, the phrase, the reason and the advice', () => {
    const { status, stdout } = run(bad, good)
    expect(status).to.equal(1)
    expect(stdout).to.match(/bad\.ts:3: Who signs in: a clause stands for a noun: begin with a verb .*\n1 phrase/)
  })

  it('passes where nothing is reported', () => {
    const { status, stdout } = run(good)
    expect(status).to.equal(0)
    expect(stdout).to.equal('1 file is in plain English.\n')
  })

  it('prints JSON, and counts', () => {
    const [report] = JSON.parse(run('--json', folder).stdout)
    expect(report).to.include({ file: bad, line: 3, rule: 'doc-start', phrase: 'Who signs in' })
    const counts = JSON.parse(run('--count', folder).stdout)
    expect(counts).to.include({ reports: 1, docComments: 1, percentThatBeginsWithAClause: 100 })
  })

  it('fails for a path that does not exist', () => {
    expect(run(join(folder, 'none.ts')).status).to.equal(1)
  })
})
