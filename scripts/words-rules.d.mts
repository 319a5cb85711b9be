import type { Passage } from './words-source.mjs'

export interface Report {
  readonly line: number
  /** The name of the rule. */
  readonly rule: string
  readonly phrase: string
  readonly why: string
  readonly write: string
}

export interface Rule {
  readonly name: string
  readonly find: RegExp
}

export const relativeStart: RegExp
export const longestSentence: number
export const rules: readonly Rule[]
export function reportsOn(passages: readonly Passage[], options?: { forUsers?: boolean }): Report[]
