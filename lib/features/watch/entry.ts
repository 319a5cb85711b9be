/** The part of watching that is loaded at the first watch. */

export { addWatch } from './queue.js'
