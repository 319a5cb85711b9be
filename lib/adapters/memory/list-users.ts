/** Pages of users in memory. Each page sorts all users of its part, as tests and demos have few. */
import { comparedStart } from '../../base/compared-start.js'
import type { AdapterUser, AdapterUserQuery } from '../../types/adapter.js'

/** Returns a page of users. */
export function listMemoryUsers(users: readonly AdapterUser[], query: AdapterUserQuery): AdapterUser[] {
  const { part, emailVerified, after, limit } = query
  const prefix = query.prefix.toLowerCase()
  const position = after && { key: part === 'id' ? '' : keyOf(after.value), id: after.id }
  return users
    .filter((user) => isInPart[part](user, prefix))
    .filter((user) => emailVerified === undefined || (user.emailVerified !== null) === emailVerified)
    .map((user) => ({ user, key: part === 'id' ? '' : keyOf(user[part]), id: user.id }))
    .filter((each) => !position || compare(each, position) > 0)
    .sort(compare)
    .slice(0, limit)
    .map(({ user }) => user)
}

const isInPart: Readonly<Record<AdapterUserQuery['part'], (user: AdapterUser, prefix: string) => boolean>> = {
  email: ({ email }, prefix) => Boolean(email) && keyOf(email).startsWith(prefix),
  name: (user, prefix) =>
    typeof user.name === 'string' && keyOf(user.name).startsWith(prefix) && !isInPart.email(user, prefix),
  id: ({ email }) => !email,
}

function keyOf(text: string | null | undefined): string {
  return comparedStart(text).toLowerCase()
}

interface Position {
  readonly key: string
  readonly id: string
}

function compare(one: Position, other: Position): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
