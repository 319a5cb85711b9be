import type { Passage } from './words-source.mjs'

export interface Sentence {
  /** The text with single spaces. */
  readonly text: string
  /** The text with its line breaks. */
  readonly raw: string
  /** The offset in the passage. */
  readonly at: number
}

export function lineCounter(text: string): (offset: number) => number
export function plain(text: string): string
export function passagesOfPage(page: string): Passage[]
export function sentencesOf(text: string): Sentence[]
export function countWords(text: string): number
