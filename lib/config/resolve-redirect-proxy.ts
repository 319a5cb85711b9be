/** The redirect proxy's options: the proxy that this instance uses, and the origins to which it forwards as a proxy. */
import { isUrl } from '../base/url.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { rejectOption } from './reject-option.js'
import { assertUrl, type Check, nonEmptyText, optional } from './shape.js'

/** The proxy's URL without a trailing slash: the full path to the mount there. */
export const proxyUrl: Check<string | undefined> = (name, value) => {
  const given = nonEmptyText(name, value)
  if (given === undefined) return undefined
  const url = assertUrl(name, given)
  if (!url.search && !url.hash && url.pathname !== '/') return url.href.replace(/\/$/, '')
  return rejectOption(
    name,
    'must be the full URL of the routes there, such as "https://app.example.com/auth", without query.',
  )
}

/**
 * Rejects a redirect proxy or its user without a certain origin. The instance that starts a sign-in seals the return
 * URL. If that depended on the `Host` header, an attacker could choose it.
 * @throws InvalidConfiguration
 */
export function assertOwnOrigin(
  { site, trustHost, providers }: Pick<ResolvedConfig, 'site' | 'trustHost' | 'providers'>,
  { isProxy, platform }: { isProxy: boolean; platform: string | undefined },
): void {
  if (site) return
  if (isProxy) {
    rejectOption(
      'redirectProxyOrigins',
      'needs AUTH_URL, because an instance that forwards the responses of providers must know which are its own. Set AUTH_URL to its URL.',
    )
  }
  const usesProxy = [...providers.values()].some((each) => each.kind === 'oauth' && each.redirectProxyUrl !== undefined)
  // A platform routes each host to its own instance, and development trusts local hosts only.
  if (!usesProxy || platform !== undefined || trustHost !== true) return
  rejectOption(
    'redirectProxyUrl',
    'needs AUTH_URL, because responses are forwarded to the URL of this instance, which must not depend on the Host header. Set AUTH_URL to the URL of this instance.',
  )
}

const proxyOrigins = optional<readonly unknown[]>(Array.isArray, 'must be an array of origins.')

/**
 * The origins to which responses are forwarded. In a pattern `*` matches one or more characters of the first label,
 * without dots.
 */
export const originPatterns: Check<readonly RegExp[]> = (name, value) =>
  Object.freeze((proxyOrigins(name, value) ?? []).map((entry) => originPattern(name, entry)))

function originPattern(name: string, entry: unknown): RegExp {
  const [before = '', after, ...more] = typeof entry === 'string' ? entry.split('*') : []
  const example = after === undefined ? before : `${before}x${after}`
  const parts = /^(https?:\/\/)([a-z0-9-]*)\*([a-z0-9-]*)\.([^*]+)$/.exec(String(entry))
  const isWrong = after !== undefined && !parts
  if (isWrong || more.length > 0 || !isUrl(example) || new URL(example).origin !== example) {
    rejectOption(
      name,
      'takes origins such as "https://preview.example.com" or "https://*.preview.example.com", without path.',
    )
  }
  if (after === undefined) return new RegExp(`^${escapeRegExp(before)}$`)
  const [, , head = '', tail = '', domain = ''] = parts ?? []
  assertOwnDomain(name, new URL(`https://${domain}`).hostname, head + tail)
  return new RegExp(`^${escapeRegExp(before)}[a-z0-9-]+${escapeRegExp(after)}$`)
}

/**
 * Checks that a pattern on a shared domain, where anyone can register a name, contains a name of the developer's own.
 */
function assertOwnDomain(option: string, domain: string, name: string): void {
  if (!domain.includes('.')) rejectOption(option, ': a pattern needs your own domain after "*.".')
  if (!isSharedDomain(domain) || /[a-z0-9]{3}/.test(name)) return
  rejectOption(
    option,
    `: anyone can register a name below ${domain}. Include your own name in the pattern, such as "https://*-my-team.${domain}", or list the origins.`,
  )
}

/** Checks whether anyone can register names below a domain. The list is incomplete: the docs say what to list. */
export function isSharedDomain(domain: string): boolean {
  return sharedDomains.has(domain) || /^(?:ac|co|com|edu|gov|net|or|org)\.[a-z]{2}$/.test(domain)
}

const sharedDomains: ReadonlySet<string> = new Set(
  `
  vercel.app vercel.dev now.sh netlify.app pages.dev workers.dev deno.dev deno.net val.run herokuapp.com fly.dev
  onrender.com railway.app up.railway.app koyeb.app northflank.app github.io githubpreview.dev app.github.dev
  gitlab.io bitbucket.io surge.sh neocities.org azurewebsites.net azurestaticapps.net cloudapp.azure.com
  azurecontainerapps.io azureedge.net web.app firebaseapp.com run.app a.run.app appspot.com hosted.app
  cloudfunctions.net cloudfront.net amplifyapp.com awsapprunner.com elasticbeanstalk.com amazonaws.com on.aws
  ondigitalocean.app scw.cloud cleverapps.io platformsh.site sevalla.app zeabur.app kinsta.app glitch.me repl.co
  replit.app replit.dev stackblitz.io webcontainer.io csb.app gitpod.io lovable.app lovableproject.com bolt.host
  base44.app v0.app supabase.co convex.site bubbleapps.io ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev
  trycloudflare.com loca.lt devtunnels.ms tunnelmole.net serveo.net lhr.life localhost.run nip.io sslip.io
`
    .trim()
    .split(/\s+/),
)

function escapeRegExp(text: string): string {
  return text.replace(/[.[\]]/g, '\\$&')
}
