/** How requests arrive at the running site, and what becomes of its answers on their way. */
import { isLocalOrigin, isProxyAddress, plainAddress } from '../../../http/addresses.js'
import type { ProbeReport } from '../../../router/doctor.js'
import { type Finding, failure, note, ok, warning } from '../finding.js'
import { skewWords } from '../online/network.js'
import type { WorkingScene } from '../scene.js'
import { type Answer, ask } from './ask.js'
import { findRoutes, type Reached } from './find.js'

/** Everything that a running site is asked. */
export async function checkSite(scene: WorkingScene): Promise<Finding[]> {
  if (!scene.url) return []
  const reached = await findRoutes(scene, scene.url)
  if ('finding' in reached) return [reached.finding]
  const secret = scene.resolved.secrets[0]
  const findings = [
    ...checkOrigin(reached, scene.url),
    ...checkMount(reached),
    ...checkProxy(reached.answer.report),
    ...checkAnswer(reached.answer),
    ...(await checkForged(reached, scene)),
    ...(await checkSizes(reached.routes, secret)),
  ]
  const alarming = findings.some(({ level }) => level === 'failure' || level === 'warning')
  return alarming
    ? findings
    : [ok('site.probe', `${reached.routes} answers, and requests arrive there as they are sent.`), ...findings]
}

/** What the site takes itself for. */
function checkOrigin({ answer: { report } }: Reached, url: URL): Finding[] {
  const { origin, receivedOrigin, protocol, trustProxy } = report
  if (origin !== url.origin) {
    return [
      failure(
        'site.origin',
        `The site is asked for at ${url.origin}, and takes itself for ${origin}: redirect URIs, mailed links and cookies are made for that. Set AUTH_URL to ${url.origin}; behind a proxy also \`app.set('trust proxy', 1)\`, with X-Forwarded-Proto set by the proxy.`,
      ),
    ]
  }
  if (url.protocol === 'https:' && protocol === 'http') {
    return [
      warning(
        'site.protocol',
        `AUTH_URL says https, but \`req.protocol\` is http (\`trust proxy\` is ${trustProxy}): what else goes by it, such as \`req.secure\`, is wrong. Set \`app.set('trust proxy', 1)\`, and let the proxy set X-Forwarded-Proto.`,
      ),
    ]
  }
  if (receivedOrigin !== url.origin && receivedOrigin !== null && new URL(receivedOrigin).host !== url.host) {
    return [
      note(
        'site.host',
        `The proxy passes another host on, ${receivedOrigin}, and AUTH_URL makes up for it. Let the proxy pass the Host header on unchanged.`,
      ),
    ]
  }
  return []
}

function checkMount({ mount, answer: { report } }: Reached): Finding[] {
  if (report.mount === mount) return []
  return [
    failure(
      'site.path',
      `The routes are at ${mount} outside, and the application sees them at ${report.mount || '/'}: the proxy changes the path, so links and redirect URIs lead elsewhere. Let it keep the path, and mount the Router there.`,
    ),
  ]
}

/** Whose address `req.ip` is. */
function checkProxy({ ip, forwarded, trustProxy }: ProbeReport): Finding[] {
  if (ip === null || !isProxyAddress({ ip, headers: forwarded })) return []
  return [
    warning(
      'site.ip',
      `\`req.ip\` is the proxy's address, ${plainAddress(ip)}, for everybody (\`trust proxy\` is ${trustProxy}): attempts are not counted by client, and sessions do not say from where they began. Set \`app.set('trust proxy', 1)\`, or as many as there are proxies.`,
    ),
  ]
}

/** The headers of the answer, as they came through. */
function checkAnswer({ headers, report, skew = 0 }: Reached['answer']): Finding[] {
  const findings: Finding[] = []
  const set = headers.getSetCookie()
  const [sent = ''] = report.cookies
  const name = sent.split('=')[0] ?? ''
  const came = set.find((line) => line.startsWith(`${name}=`))
  if (came === undefined) {
    findings.push(
      failure(
        'site.cookie',
        'A cookie that the site sets does not get through: nobody can sign in. Let the proxy, or the CDN, pass Set-Cookie on for the routes.',
      ),
    )
  } else if (attributesOf(came) !== attributesOf(sent)) {
    findings.push(
      warning(
        'site.cookie-changed',
        `A proxy changes cookies: ${attributesOf(sent)} became ${attributesOf(came)}. Remove what rewrites Set-Cookie there.`,
      ),
    )
  }
  if (!/\bno-store\b/.test(headers.get('cache-control') ?? '')) {
    findings.push(
      failure(
        'site.cache',
        'Answers come without `Cache-Control: no-store`, which the site sets: a cache may give one person’s session to another. Remove what changes Cache-Control for the routes.',
      ),
    )
  }
  if (Number(headers.get('age') ?? 0) > 0) {
    findings.push(
      failure(
        'site.cached',
        'An answer comes out of a cache, in spite of `no-store`. Leave the routes out of the caching rules.',
      ),
    )
  }
  if (Math.abs(skew) > 5) {
    findings.push(
      warning(
        'site.clock',
        `The clock of the site is ${skewWords(skew)} that of this machine. Let both be set by NTP.`,
      ),
    )
  }
  if (report.secretAt > 0) {
    findings.push(
      note('site.secret', `The site knows the first of the secrets here, as number ${report.secretAt + 1} of its own.`),
    )
  }
  return findings
}

/** In one order: a proxy may write them in another one, and in other letters. */
function attributesOf(line: string): string {
  return line
    .split(';')
    .slice(1)
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !each.startsWith('expires='))
    .sort()
    .join('; ')
}

/** An address for documentation (RFC 5737), and a name that nobody has (RFC 6761 §6.4). */
const forged = { ip: '203.0.113.77', host: 'forged.invalid' }

/** Whether anybody may choose the address and the host of a request. */
async function checkForged({ routes, answer }: Reached, scene: WorkingScene): Promise<Finding[]> {
  const headers = { 'x-forwarded-for': forged.ip, 'x-forwarded-host': forged.host }
  const { report } = await ask(routes, scene.resolved.secrets[0], { headers })
  if (!report) return []
  const { trustProxy } = answer.report
  // Without a proxy on this machine, the doctor stands where the proxy would.
  const isNear = isLocalOrigin(new URL(routes).origin) && !scene.env.production
  const findings: Finding[] = []
  if (report.ip === forged.ip) {
    findings.push(
      (isNear ? note : failure)(
        'site.forged-ip',
        `Anybody may choose the address that \`req.ip\` says, by X-Forwarded-For (\`trust proxy\` is ${trustProxy}). Set it to the number of proxies, and let nobody reach the application past them.`,
      ),
    )
  }
  if (report.receivedOrigin?.includes(forged.host)) {
    const level = isNear || scene.resolved.site ? note : failure
    findings.push(
      level(
        'site.forged-host',
        'Anybody may choose the host, by X-Forwarded-Host. Let the proxy set that header itself, and set AUTH_URL.',
      ),
    )
  }
  return findings
}

/** How much of a session gets through. Most have less than a kilobyte, and none more than thirteen. */
async function checkSizes(routes: string, secret: string): Promise<Finding[]> {
  const cookie = (kilobytes: number) => ({ headers: { cookie: `auth.doctor=${'x'.repeat(kilobytes * 1000)}` } })
  const findings: Finding[] = []
  if (await isLost(ask(routes, secret, cookie(4)))) {
    findings.push(
      failure(
        'site.request-size',
        `Requests with 4 kB of cookies do not get through. Raise the limit of the proxy: ${raise.request}.`,
      ),
    )
  } else if (await isLost(ask(routes, secret, cookie(12)))) {
    findings.push(
      note(
        'site.request-size',
        `Requests with 12 kB of cookies do not get through. Where sessions are large, raise the limit of the proxy: ${raise.request}.`,
      ),
    )
  }
  if (await isLost(ask(routes, secret, { kilobytes: 1 }))) {
    findings.push(
      failure(
        'site.answer-size',
        `Answers that set 1 kB of cookies do not get through. Raise the limit of the proxy: ${raise.answer}.`,
      ),
    )
  } else if (await isLost(ask(routes, secret, { kilobytes: 8 }))) {
    findings.push(
      note(
        'site.answer-size',
        `Answers that set 8 kB of cookies do not get through. Where sessions are large, raise the limit of the proxy: ${raise.answer}.`,
      ),
    )
  }
  return findings
}

const raise = {
  request: '`large_client_header_buffers 4 32k` for nginx',
  answer: '`proxy_buffer_size 32k` and `proxy_buffers 8 32k` for nginx',
}

/** Refused, dropped or broken off. */
async function isLost(asked: Promise<Answer>): Promise<boolean> {
  try {
    const { report } = await asked
    return report === undefined
  } catch {
    return true
  }
}
