/** A member of an interface. */
export interface Member {
  readonly name: string
  readonly comment: string
  readonly optional: boolean
  /** The parameters of a method. */
  readonly params?: readonly string[]
  readonly result: string
}

export function readInterfaces(sources: readonly string[]): ReadonlyMap<string, { readonly members: readonly Member[] }>
export function allMembers(interfaces: ReturnType<typeof readInterfaces>, name: string): readonly Member[]
export function firstSentence(comment: string): string
export function tagOf(comment: string, tag: string): string
