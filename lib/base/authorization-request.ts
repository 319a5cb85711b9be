/** Words of the authorization request (RFC 6749 §3.3, §4.1.1), for everybody who has to do with one. */

/** The names in a scope, each once. Some providers separate them by commas. */
export function scopesOf(scope: string | null | undefined): readonly string[] {
  return [...new Set((scope ?? '').split(/[\s,]+/).filter((name) => name !== ''))]
}

/** A provider's scope with more names in it, separated as the provider has it. */
export function joinScopes(own: string | undefined, more: readonly string[]): string {
  const separator = own?.includes(',') && !/\s/.test(own) ? ',' : ' '
  return [...new Set([...scopesOf(own), ...more])].join(separator)
}

/** Only the flow sets these: they bind the answer to the request. */
export const protocolParams: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
])

/** Only the provider's object sets these: they change how the answer comes, and what is in it. */
export const providerParams: ReadonlySet<string> = new Set(['response_mode', 'claims'])
