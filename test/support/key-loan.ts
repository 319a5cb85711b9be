/**
 * Key pairs for providers. An RSA key takes a tenth of a second of a processor to make, so each worker makes a few and
 * lends them: two that are out at once are never the same, and each borrower gives a key a name of its own.
 */
import { type GenerateKeyPairResult, generateKeyPair } from 'jose'

const free = new Map<string, GenerateKeyPairResult[]>()

/** The keys that one borrower has. */
export interface KeyLoan {
  /** Returns a pair that no other borrower has, and that this borrower did not have before. It can be exported. */
  take(alg: string): Promise<GenerateKeyPairResult>
  /** Returns the keys for the next borrower. A borrower that never calls it costs only time. */
  giveBack(): void
}

export function borrowKeys(): KeyLoan {
  const taken: Array<readonly [alg: string, pair: GenerateKeyPairResult]> = []
  return {
    async take(alg) {
      const pair = free.get(alg)?.pop() ?? (await generateKeyPair(alg, { extractable: true }))
      taken.push([alg, pair])
      return pair
    },
    giveBack() {
      for (const [alg, pair] of taken.splice(0)) free.set(alg, [...(free.get(alg) ?? []), pair])
    },
  }
}
