/** Parameters of the authorization request that may not be set by everybody. */

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
