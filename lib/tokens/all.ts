/** The code that the functions load at their first call. */
export { accessToken, disconnect, exchange, fetchAs } from './access.js'
export { connectUrl } from './connect.js'
