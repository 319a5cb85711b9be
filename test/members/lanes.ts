/** Random operations of several processes. */
import fc from 'fast-check'
import { kinds, type Operation, roleNames, users } from './operations.js'

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...kinds),
  actor: fc.constantFrom(...users),
  user: fc.constantFrom(...users),
  role: fc.constantFrom(...roleNames),
})

/** Returns the operations of each process, in its order. */
export function lanesOf(processes: number): fc.Arbitrary<Operation[][]> {
  return fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { minLength: processes, maxLength: processes })
}
