/** A text that a reader reads as one piece, without markup. */
export interface Passage {
  readonly kind: 'doc' | 'tag' | 'comment' | 'title' | 'message' | 'prose' | 'cell' | 'heading'
  readonly line: number
  readonly text: string
}

export function passagesOfSource(source: string, options?: { messages?: boolean }): Passage[]
