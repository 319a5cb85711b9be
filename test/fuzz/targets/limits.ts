/** The inputs by which a stranger tries to exceed the limits, or to skip a required captcha. */
import fc from 'fast-check'
import { target } from '../explore.js'
import { bend, bent, type Edit, edited, edits, json, line, mostly, seldom } from '../hostile.js'
import { base, goodCaptcha, namesake, robot, type Site } from '../site.js'
import { Stranger, Violation } from '../stranger.js'
import { queryOf } from './shared.js'

const form = ['content-type', 'application/x-www-form-urlencoded'] as const

interface Guess {
  readonly fields: readonly Edit[] | undefined
  readonly client: string
  readonly browser: Parameters<typeof bent>[1] | undefined
}

const guess: fc.Arbitrary<Guess> = fc.record({
  fields: seldom(edits(['username', 'password', 'csrfToken', 'captcha', 'remember', '__proto__'], 200)),
  client: fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    line(200),
    fc.array(fc.constantFrom('::', ':', '1', '.', '%', 'ffff'), { maxLength: 40 }).map((all) => all.join('')),
  ),
  browser: seldom(bend(9000)),
})

/** The number of guesses that may be made for an account. */
const most = 3

/** Guesses of one password from many clients, with changed cookies of a browser that another account knows. */
export const guesses = target('guesses', fc.array(guess, { minLength: most + 1, maxLength: 8 }), async (site, all) => {
  site.renew({ rateLimit: { rules: { credentials: { perAccount: most, window: 3600 } } } })
  const device = await knownBrowser(site)
  site.renew({ rateLimit: { rules: { credentials: { perAccount: most, window: 3600 } } } })
  for (const each of all) await guessOnce(site, each, device)
  if (site.guesses > most) throw new Violation(`${site.guesses} guesses instead of ${most}`)
  if (site.accepted > 0) throw new Violation('a wrong password was right')
})

/**
 * Returns the cookie of a browser in which another user has signed in, whose name is counted together with that of the
 * guesses.
 */
async function knownBrowser(site: Site): Promise<string> {
  const other = new Stranger(site)
  const signIn = queryOf([
    ['username', namesake],
    ['password', 'right'],
  ])
  await other.send({
    method: 'POST',
    target: `${base}/callback/credentials`,
    headers: [...other.own, form],
    body: `${signIn}`,
  })
  const device = other.jar.cookies.get('auth.device')
  if (device === undefined) throw new Violation('the browser is not known')
  return device
}

async function guessOnce(site: Site, { fields, client, browser }: Guess, device: string): Promise<void> {
  const stranger = new Stranger(site)
  const known = [
    ['username', 'ann'],
    ['password', 'wrong'],
  ] as const
  const cookie = (browser ? bent(device, browser) : device).replace(/[\r\n\0]/g, '')
  const headers = [
    ...stranger.own,
    form,
    ['x-forwarded-for', client] as const,
    ['cookie', `auth.device=${cookie}`] as const,
  ]
  const body = `${queryOf(fields ? edited(known, fields) : known)}`
  await stranger.send({ method: 'POST', target: `${base}/callback/credentials`, headers, body })
}

/**
 * The answer to a captcha, in the form, in JSON and in the header. Without the valid one the attempt is not processed.
 */
export const captcha = target(
  'captcha',
  fc.record({
    change: seldom(bend(20_000)),
    value: seldom(json()),
    place: mostly<'form' | 'json' | 'header' | 'both'>('form', 'json', 'header', 'both'),
    fields: seldom(edits(['captcha', 'username', '__proto__'], 200)),
  }),
  async (site, { change, value, place, fields }) => {
    site.renew()
    const stranger = new Stranger(site)
    const answer = change ? bent(goodCaptcha, change) : goodCaptcha
    const inHeader = place === 'header' || place === 'both'
    const known = [
      ['username', 'ann'],
      ['password', 'right'],
      ...(place === 'form' ? [['captcha', answer] as const] : []),
    ] as const
    const said = JSON.stringify(Object.fromEntries(known))
    const isJson = place === 'json' || place === 'both'
    const body = isJson
      ? `${said.slice(0, -1)},"captcha":${value ?? JSON.stringify(answer)}}`
      : `${queryOf(fields ? edited(known, fields) : known)}`
    const headers = [
      ...stranger.own,
      isJson ? (['content-type', 'application/json'] as const) : form,
      ['user-agent', robot] as const,
      ...(inHeader ? [['x-captcha-token', answer.replace(/[\r\n\0]/g, '')] as const] : []),
    ]
    await stranger.send({ method: 'POST', target: `${base}/callback/credentials`, headers, body })
    if (site.captchas.length > 1) throw new Violation(`${site.captchas.length} captchas of one attempt`)
    if (site.captchas.some((each) => typeof each !== 'string' || each === ''))
      throw new Violation('a captcha that is no text was to be checked')
    if (site.captchas[0] !== goodCaptcha && site.guesses > 0) throw new Violation('an attempt without a captcha')
    if (site.captchas[0] !== goodCaptcha) await stranger.expectNobody('without a captcha')
  },
)
