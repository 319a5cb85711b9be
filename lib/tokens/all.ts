/** What the door loads at its first call. */
export { accessToken, disconnect, exchange, fetchAs } from './access.js'
export { connectUrl } from './connect.js'
