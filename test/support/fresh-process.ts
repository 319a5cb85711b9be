/** Each test is a process of its own, as far as what a process remembers for a site goes: most use the same secret. */
import { forgetSites } from '../../lib/base/memory.js'

export const mochaHooks = {
  beforeEach() {
    forgetSites()
  },
}
