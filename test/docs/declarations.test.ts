import { expect } from 'chai'
import { allMembers, firstSentence, readInterfaces, tagOf } from '../../scripts/declarations.mjs'

const membersOf = (body: string) => readInterfaces([`interface Example {${body}}`]).get('Example')?.members ?? []

describe('the reader of declarations', () => {
  it('reads methods with generics, nested types and comments', () => {
    const [member] = membersOf(`
  /**
   * Reads \`a.b\`. The user's second sentence.
   *
   * @returns The value.
   * @throws \`E\` when it's wrong.
   */
  get<T extends boolean = true>(
    key: { a: string; b: (x: number) => Promise<void> },
    of?: 'x' | 'y', // a comment: the user's
  ): Promise<T extends false ? string : Map<string, T[]>>
`)
    expect(member).to.include({
      name: 'get',
      optional: false,
      result: 'Promise<T extends false ? string : Map<string, T[]>>',
    })
    expect(member?.params).to.have.length(2)
    expect(firstSentence(member?.comment ?? '')).to.equal('Reads `a.b`.')
    expect(tagOf(member?.comment ?? '', 'returns')).to.equal('The value.')
    expect(tagOf(member?.comment ?? '', 'throws')).to.equal("`E` when it's wrong.")
  })

  it('reads properties: optional, quoted, unions over lines', () => {
    const members = membersOf(`
  readonly a?: string
  'b:c': number
  [other: string]: unknown
  d:
    | 'x'
    | 'y'
  last: { e: string }
`)
    expect(members.map(({ name, optional }) => `${name}${optional ? '?' : ''}`)).to.deep.equal([
      'a?',
      'b:c',
      'd',
      'last',
    ])
  })

  it('adds the members of parents', () => {
    const interfaces = readInterfaces([
      'interface A {\n  a: string\n  b: number\n}\n',
      'export interface C<T> extends A, B<{ x: T }> {\n  b: string\n}\nexport interface B<T> {\n  x: T\n}\n',
    ])
    expect(allMembers(interfaces, 'C').map(({ name, result }) => `${name}: ${result}`)).to.deep.equal([
      'a: string',
      'x: T',
      'b: string',
    ])
  })
})
