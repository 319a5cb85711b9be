/** The functions of account pages and support desks. */

export { resetFactors } from '../features/factors/calls-any-user.js'
export { passwordFunctions } from '../features/passwords/calls.js'
export { accountFunctions } from './account-functions.js'
export { sessionFunctions } from './session-functions.js'
export { userFunctions } from './users.js'
