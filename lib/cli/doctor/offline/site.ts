/** Checks of the site's URL, its cookies, and the URLs to register. */
import { isLocalOrigin, isLoopbackHost } from '../../../http/ip-addresses.js'
import type { CookieOption } from '../../../types/cookies.js'
import { siteMount, siteOrigin, type ValidDoctorContext } from '../context.js'
import { type Finding, failure, note, ok, skipped, warning } from '../finding.js'

/** Compares `AUTH_URL` with the configuration and the running site. */
export function checkUrl(scene: ValidDoctorContext): Finding[] {
  const { resolved, config, url, env, changed } = scene
  const { site } = resolved
  // It is reported as invalid already.
  if (changed.has('AUTH_URL')) return []
  if (!site) return [checkMissingUrl(scene)]
  const findings: Finding[] = []
  const isLocal = isLocalOrigin(site.origin)
  if (env.production && isLocal && !(url && isLocalOrigin(url.origin))) {
    findings.push(
      warning(
        'url.local',
        `AUTH_URL is ${site.origin}, which only this machine can open. Set it to the public URL of the site.`,
      ),
    )
  } else if (env.production && !isLocal && site.origin.startsWith('http:')) {
    findings.push(
      failure(
        'url.http',
        `AUTH_URL is ${site.origin}: without https an attacker in the network can take over sessions, and cookies are not Secure. Set it to the https URL.`,
      ),
    )
  }
  if (/\/(?:callback|signin|signout|session)(?:\/|$)/.test(site.path)) {
    findings.push(
      failure(
        'url.path',
        `AUTH_URL ends with ${site.path}, which is one of the routes. Its path is that where they are mounted, such as /auth.`,
      ),
    )
  } else if (site.path !== '' && config.basePath !== undefined && config.basePath.replace(/\/$/, '') !== site.path) {
    findings.push(
      warning(
        'url.mount',
        `AUTH_URL has the path ${site.path}, but \`basePath\` is ${config.basePath}. Make them the same: the path where the routes are mounted.`,
      ),
    )
  }
  if (url && url.origin !== site.origin) {
    findings.push(
      warning(
        'url.other',
        `AUTH_URL is ${site.origin}, but the requested site is ${url.origin}. Users have to use the host of AUTH_URL: redirect the other host to it.`,
      ),
    )
  }
  return findings.length > 0
    ? findings
    : [ok('url.set', `The site is ${site.origin}, and its routes are at ${siteMount(scene)}.`)]
}

function checkMissingUrl({ resolved, env }: ValidDoctorContext): Finding {
  if (resolved.trustHost === false) {
    return failure(
      'url.missing',
      'AUTH_URL is not set, so in production every request is refused (UntrustedHost). Set it to the URL of the site, such as https://app.example.com.',
    )
  }
  if (!env.production) return ok('url.set', 'AUTH_URL is not set. In production it has to be.')
  return warning(
    'url.trusted',
    `AUTH_URL is not set, and hosts are believed as requests say them (${resolved.trustRule}). Set it, unless the application serves many hosts and its proxy sets the Host header.`,
  )
}

/** Checks whether browsers accept the cookies at this site. */
export function checkCookies(scene: ValidDoctorContext): Finding[] {
  const { resolved } = scene
  const origin = siteOrigin(scene)
  const isSecure = origin?.startsWith('https:')
  const findings: Finding[] = []
  // Browsers accept Secure cookies of this machine over http.
  if (
    resolved.useSecureCookies === true &&
    origin !== undefined &&
    !isSecure &&
    !isLoopbackHost(new URL(origin).hostname)
  ) {
    findings.push(
      failure(
        'cookies.secure-on-http',
        `\`useSecureCookies\` is true, and the site is ${origin}: browsers drop Secure cookies of http. Set AUTH_URL to the https URL, or remove the option.`,
      ),
    )
  }
  if (resolved.useSecureCookies === false && isSecure) {
    findings.push(
      warning(
        'cookies.plain-on-https',
        '`useSecureCookies` is false, and the site is https: cookies go out without Secure and without the prefixes that keep other hosts from planting them. Remove the option.',
      ),
    )
  }
  const policy = (resolved.useSecureCookies ?? isSecure ?? false) ? resolved.cookies.secure : resolved.cookies.plain
  for (const [entry, cookie] of Object.entries(policy)) findings.push(...checkCookieOptions(entry, cookie, origin))
  return findings.length > 0 ? findings : [ok('cookies.fit', `The session cookie is ${policy.sessionToken.name}.`)]
}

function checkCookieOptions(entry: string, { name, options }: CookieOption, origin: string | undefined): Finding[] {
  const { domain, httpOnly, sameSite } = options
  const findings: Finding[] = []
  const host = origin === undefined ? undefined : new URL(origin).hostname
  if (domain !== undefined && host !== undefined && !isBelow(host, domain)) {
    findings.push(
      failure(
        'cookies.domain',
        `The cookie ${name} has the domain ${domain}, and the site is ${host}: browsers refuse it. Correct \`cookies.${entry}.options.domain\`, or remove it.`,
      ),
    )
  }
  if (entry === 'transaction' && sameSite === 'strict') {
    findings.push(
      failure(
        'cookies.strict',
        `The cookie ${name} is SameSite=Strict, so browsers leave it out when a provider redirects users back, and no user can sign in. Remove \`sameSite\` from \`cookies.state\`, \`cookies.nonce\` and \`cookies.pkceCodeVerifier\`.`,
      ),
    )
  }
  if (entry === 'sessionToken' && httpOnly === false) {
    findings.push(
      warning(
        'cookies.script',
        `The cookie ${name} is not HttpOnly: any script on a page can read the session. Remove \`httpOnly: false\`.`,
      ),
    )
  }
  return findings
}

function isBelow(host: string, domain: string): boolean {
  const bare = domain.replace(/^\./, '').toLowerCase()
  return host === bare || host.endsWith(`.${bare}`)
}

/** Checks whether the URLs to register are known and would be accepted. */
export function checkRedirects(scene: ValidDoctorContext): Finding[] {
  const origin = siteOrigin(scene)
  const providers = [...scene.resolved.providers.values()].filter(({ kind }) => kind === 'oauth')
  if (providers.length === 0) return []
  if (origin === undefined) {
    return [skipped('redirects.list', 'The URLs to register are not known: set AUTH_URL, or pass --url.')]
  }
  if (origin.startsWith('http:') && !isLocalOrigin(origin)) {
    return [warning('redirects.http', `The redirect URIs begin with ${origin}: most providers take only https there.`)]
  }
  return [
    note(
      'redirects.list',
      `Register ${providers.length === 1 ? 'this URL' : 'these URLs'} at the provider: see the list below.`,
    ),
  ]
}
