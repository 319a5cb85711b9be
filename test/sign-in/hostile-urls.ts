/** Callback URLs that a stranger may send, and where each must lead. */

/** A value, and where it leads: the site's root unless said otherwise. */
export interface HostileUrl {
  readonly id: string
  readonly value: string
  readonly to: string
}

/** The table for an origin. Values that stay on the site are in it too: refusing everything is no answer. */
export function hostileUrls(origin: string): readonly HostileUrl[] {
  const { host, protocol } = new URL(origin)
  const otherScheme = protocol === 'https:' ? 'http' : 'https'
  const home = `${origin}/`
  const refused = (id: string, ...values: string[]) => values.map((value) => ({ id, value, to: home }))
  const kept = (id: string, value: string, path: string) => ({ id, value, to: `${origin}${path}` })
  return [
    ...refused('RD-01 another site', 'https://evil.test/', 'https://evil.test', 'http://evil.test/path?a=b'),
    ...refused('RD-02 no scheme', '//evil.test', '///evil.test', '////evil.test', '//evil.test/%2e%2e'),
    ...refused('RD-03 backslashes', '/\\evil.test', '\\\\evil.test', '\\/evil.test', '/\\/evil.test'),
    kept('RD-03 backslashes', '/%5Cevil.test', '/%5Cevil.test'),
    ...refused(
      'RD-04 control characters',
      '/\t/evil.test',
      '/\n/evil.test',
      '/\r\n/evil.test',
      '\x00//evil.test',
      ' //evil.test',
    ),
    ...refused('RD-04 control characters', ' https://evil.test', '\x01https://evil.test', 'ht\ntps://evil.test'),
    kept('RD-04 control characters', '/%09/evil.test', '/%09/evil.test'),
    ...refused('RD-06 user names', `${protocol}//${host}@evil.test`, `${protocol}//app:pw@evil.test`),
    ...refused('RD-06 user names', `${protocol}//evil.test@${host}/`, `${protocol}//:pw@${host}/`),
    ...refused('RD-07 look-alikes', `${origin}.evil.test`, `${protocol}//evil${host}`, `${origin}s`, `${origin}evil`),
    ...refused(
      'RD-08 other schemes',
      'http://google.com\\\\@app.test',
      `http://google.com\\@${host}`,
      `http://google.com\\\\@${host}`,
    ),
    ...refused(
      'RD-12 another scheme or port',
      `${otherScheme}://${host}/x`,
      `${protocol}//${host.replace(/:\d+$/, '')}:9/x`,
    ),
    ...refused('RD-14 length and parts', `/${'x'.repeat(10_000)}`, `/${'x'.repeat(1024)}`),
    kept('RD-14 length and parts', '/a#fragment', '/a#fragment'),
    kept('RD-14 length and parts', '/a?b=c&callbackUrl=https://evil.test/', '/a?b=c&callbackUrl=https://evil.test/'),
    ...refused('RD-20 DOS-02 no URL', 'http://[', '//', 'http://', `${origin}:99999/`),
    kept('RD-20 DOS-02 no URL', '%', '/%'),
    kept('RD-20 DOS-02 no URL', '%E0%A4%A', '/%E0%A4%A'),
    ...refused(
      'RD-21 our own pages',
      '/auth/signin',
      '/auth/signin/test',
      '/auth/callback/test',
      '/auth/signout',
      '/auth/session',
    ),
    ...refused('RD-21 our own pages', `${origin}/auth/signin?callbackUrl=/x`, '/x/../auth/error', '/auth/csrf#x'),
    kept('RD-21 our own pages', '/authors', '/authors'),
    kept('RD-21 our own pages', '/auth-signin', '/auth-signin'),
    kept('RD-21 our own pages', '/auth/account', '/auth/account'),
    ...refused(
      'XS-05 markup',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'ftp://evil.test',
      'file:///x',
    ),
    kept('CR-01 line breaks', '/a\r\nSet-Cookie:x=1', '/aSet-Cookie:x=1'),
    kept('CR-01 line breaks', '/a%0d%0aSet-Cookie:x=1', '/a%0d%0aSet-Cookie:x=1'),
    kept('CR-05 other letters', '/é?ü=ß', '/%C3%A9?%C3%BC=%C3%9F'),
    kept('own', `${origin}/profile?tab=1`, '/profile?tab=1'),
    kept('own', 'relative', '/relative'),
  ]
}

/** The ids of the table, each once. */
export const hostileIds: readonly string[] = [...new Set(hostileUrls('https://app.test').map(({ id }) => id))]
