/** Scopes and parameters of the authorization request (RFC 6749 §3.3, §4.1.1). */

/** Returns the names in a scope without duplicates. Some providers separate them by commas. */
export function scopesOf(scope: string | null | undefined): readonly string[] {
  return [...new Set((scope ?? '').split(/[\s,]+/).filter((name) => name !== ''))]
}

/** Adds names to a provider's scope, with the separator that the provider uses. */
export function joinScopes(own: string | undefined, more: readonly string[]): string {
  const separator = own?.includes(',') && !/\s/.test(own) ? ',' : ' '
  return [...new Set([...scopesOf(own), ...more])].join(separator)
}

/** Parameters that only the flow sets, because they bind the response to the request. */
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

/** Parameters that only the provider's object sets, because they change the form or the content of the response. */
export const providerParams: ReadonlySet<string> = new Set(['response_mode', 'claims'])
