/** Parameters of the authorization request that are not everybody's to set. */

/** The protocol's own, which tie an answer to its question: nobody but the flow sets them. */
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

/** What the provider's object may set, and nobody else: they change how the answer comes, and what is in it. */
export const providerParams: ReadonlySet<string> = new Set(['response_mode', 'claims'])
