/** The contract suite under `node:test`. Started by `contract.test.ts`. */
import * as runner from 'node:test'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { adapterContract } from '../../lib/testing/index.js'

adapterContract(runner, {
  create() {
    const { transaction: _, ...adapter } = memoryAdapter()
    return { adapter }
  },
  skip: { 'keeps any text': 'a database of Latin 1' },
})
