/** `npx server-auth urls`: prints the URLs to register at a provider. */

import { readEnv } from '../base/env.js'
import { parseUrl } from '../base/url.js'
import { AuthUrls, urlsToRegister } from '../http/urls.js'
import { type Command, readArguments, UsageError } from './terminal.js'

/** The command `urls`. */
export const urls: Command<string> = {
  summary: 'Prints the URLs to register at a provider',
  help: `Usage: npx server-auth urls [--url <url>] <provider id>...

Prints the URLs that a provider requires when you register the application: the URLs to which users return after
sign-in and sign-out, and the URLs to which the provider reports a sign-out.

  --url <url>   The URL of the site, with the path where the routes are mounted (default: AUTH_URL; path: /auth).`,
  run(args) {
    const { values, rest } = readArguments(args, [], ['url'])
    const url = values.get('url') ?? readEnv().url
    if (url === undefined) throw new UsageError('The URL of the site is not known: pass --url, or set AUTH_URL.')
    if (rest.length === 0) throw new UsageError('Which provider? Its id is the last part of the URLs.')
    const mount = readSiteUrl(url)
    return rest.map((id) => describeUrls(mount, id)).join('\n\n')
  },
}

function readSiteUrl(text: string): AuthUrls {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${JSON.stringify(text)} is no URL such as https://app.example.com/auth.`)
  }
  return new AuthUrls(url.origin, url.pathname.replace(/\/+$/, '') || '/auth')
}

function describeUrls(mount: AuthUrls, id: string): string {
  if (!/^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(id))
    throw new UsageError(`${JSON.stringify(id)} is no id of a provider.`)
  const { callback, postLogout, backchannelLogout, frontchannelLogout } = urlsToRegister(mount, id)
  return `${id}
  Redirect URI (callback URL)   ${callback}
  Post-logout redirect URI      ${postLogout}
  Back-channel logout URL       ${backchannelLogout}   with logout.backchannel
  Front-channel logout URL      ${frontchannelLogout}   with logout.frontchannel`
}
