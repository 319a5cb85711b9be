/** Adapters that are wrong in one thing each, and the test of the contract that must say so. */
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { Adapter, AdapterUser } from '../../lib/types/adapter.js'

/** A defect: what it does wrong, the adapter that has it, the test that finds it. */
export interface Defect {
  readonly what: string
  readonly found: string
  create(): Adapter
}

/** The memory adapter with some methods replaced. */
function defect(what: string, found: string, broken: (right: MemoryAdapter) => Partial<Adapter>): Defect {
  return {
    what,
    found,
    create: () => {
      const right = memoryAdapter()
      return { ...right, ...broken(right) }
    },
  }
}

/** Waits as long as a database between two statements. */
const roundTrip = () => new Promise<void>((resolve) => setImmediate(resolve))

const noted = 'updateAuthenticatorCounter notes the use of that passkey, where passkeys have names'

const anHourLater = (date: Date) => new Date(date.getTime() + 3_600_000)

const users = [
  defect('an address may belong to two users', 'createUser rejects an address that is taken', (right) => ({
    createUser: async (user) =>
      (await right.getUserByEmail(user.email))
        ? { ...(await right.createUser({ ...user, email: '' })) }
        : right.createUser(user),
  })),
  defect(
    'the address is looked up before it is stored',
    'of 20 users with one address at once exactly one is created',
    (right) => {
      const taken = new Set<string>()
      return {
        createUser: async (user) => {
          if (taken.has(user.email)) throw new Error('taken')
          await roundTrip()
          taken.add(user.email)
          const free = (await right.getUserByEmail(user.email)) === null
          return right.createUser(free ? user : { ...user, email: '' })
        },
      }
    },
  ),
  defect('all people without an address are one', 'takes two users without an address', (right) => {
    const stored: AdapterUser[] = []
    return {
      createUser: async (user) => {
        const known = user.email ? undefined : stored[0]
        const created = known ?? (await right.createUser(user))
        if (!user.email) stored.push(created)
        return created
      },
    }
  }),
  defect('an empty address finds somebody', 'getUserByEmail finds no user by an empty address', (right) => {
    const stored: AdapterUser[] = []
    return {
      createUser: async (user) => {
        const created = await right.createUser(user)
        if (!user.email) stored.push(created)
        return created
      },
      getUserByEmail: async (email) => (email === '' ? (stored[0] ?? null) : right.getUserByEmail(email)),
    }
  }),
  defect('an unknown user is an error', 'getUser is null for an unknown id', (right) => ({
    getUser: async (id) => {
      const user = await right.getUser(id)
      if (!user) throw new Error('no row')
      return user
    },
  })),
  defect(
    'a change empties the fields that it does not name',
    'updateUser changes the fields that are given, and returns the whole user',
    (right) => ({
      updateUser: (user) => right.updateUser({ name: null, image: null, emailVerified: null, ...user }),
    }),
  ),
  defect('a change of an unknown user makes one', 'updateUser makes no user of an unknown id', (right) => ({
    updateUser: async (user) =>
      (await right.getUser(user.id))
        ? right.updateUser(user)
        : right.createUser({ email: '', emailVerified: null, ...user }),
  })),
  defect('records are handed out, not copied', 'gives records that are copies', (right) => {
    const handedOut = new Map<string, AdapterUser | null>()
    return {
      getUser: async (id) => {
        const user = handedOut.get(id) ?? (await right.getUser(id))
        handedOut.set(id, user)
        return user
      },
    }
  }),
  defect(
    'a deleted user keeps the accounts',
    'deleteUser ends the sessions and frees the accounts of the user',
    (right) => ({
      deleteUser: async (id) => {
        const accounts = await right.listAccountsByUserId(id)
        await right.deleteUser(id)
        const heir = await right.createUser({ id: '', email: '', emailVerified: null })
        for (const account of accounts) await right.linkAccount({ ...account, userId: heir.id })
      },
    }),
  ),
  defect('names are cut off', 'keeps any text', (right) => ({
    createUser: (user) => right.createUser({ ...user, name: user.name?.slice(0, 64) }),
  })),
  defect('accents do not count in addresses', 'addresses are exact', (right) => {
    const fold = (email: string) => email.normalize('NFD').replace(/\p{Mark}/gu, '')
    return {
      createUser: (user) => right.createUser({ ...user, email: user.email && fold(user.email) }),
      getUserByEmail: (email) => right.getUserByEmail(fold(email)),
    }
  }),
  defect('the proof of an address gets lost', 'keeps the time at which an address was verified', (right) => ({
    createUser: (user) => right.createUser({ ...user, emailVerified: null }),
  })),
  defect(
    'a change to an address that is taken is passed over',
    'updateUser rejects an address that is taken',
    (right) => ({
      updateUser: (user) =>
        Promise.resolve(right.updateUser(user)).catch(
          async () => (await right.getUser(user.id)) ?? right.updateUser(user),
        ),
    }),
  ),
  defect('a long address is cut off', 'keeps an address of 254 characters', (right) => ({
    createUser: (user) => right.createUser({ ...user, email: user.email?.slice(0, 191) }),
  })),
  defect('a plain object is the table', 'names of JavaScript are words like others', (right) => {
    const found: Record<string, ReturnType<Required<Adapter>['getSessionAndUser']> | undefined> = {}
    return { getSessionAndUser: (token) => found[token] ?? right.getSessionAndUser(token) }
  }),
]

const lists = [
  defect(
    'a page begins after a number of users',
    'listUsers continues at the same place after new users, and after the last user was deleted',
    (right) => {
      const seen = new Map<string, number>()
      return {
        listUsers: async ({ after, ...query }) => {
          const from = after ? (seen.get(after.id) ?? 0) : 0
          const all = await right.listUsers({ ...query, limit: 1_000_000 })
          const page = all.slice(from, from + query.limit)
          for (const [index, { id }] of page.entries()) seen.set(id, from + index + 1)
          return page
        },
      }
    },
  ),
  defect(
    'users are in the order in which they came',
    'listUsers returns users by address, in pages without gaps',
    (right) => ({
      listUsers: async (query) => (await right.listUsers(query)).reverse(),
    }),
  ),
  defect(
    'equal names are skipped',
    'listUsers finds names that begin with the text, in upper and lower case',
    (right) => ({
      listUsers: async ({ after, ...query }) =>
        right.listUsers({ ...query, ...(after && { after: { ...after, id: '\u{10FFFF}' } }) }),
    }),
  ),
  defect('upper case matters', 'listUsers finds names that begin with the text, in upper and lower case', (right) => ({
    listUsers: async (query) =>
      (await right.listUsers(query)).filter(({ name }) => query.part !== 'name' || name?.startsWith(query.prefix)),
  })),
  defect('a user is in both parts', 'listUsers lists a user by address or by name, not twice', (right) => ({
    listUsers: async (query) => {
      const found = await right.listUsers(query)
      if (query.part !== 'name') return found
      const byAddress = await right.listUsers({ ...query, part: 'email' })
      return [...found, ...byAddress.filter(({ name }) => name?.startsWith(query.prefix))]
    },
  })),
  defect('the text is a pattern', 'listUsers takes the text as it is', (right) => ({
    listUsers: (query) => right.listUsers({ ...query, prefix: query.prefix.replace(/[%_]$/, '') }),
  })),
  defect('the filter does nothing', 'listUsers returns verified or unverified users only', (right) => ({
    listUsers: ({ emailVerified: _, ...query }) => right.listUsers(query),
  })),
  defect('users without an address are not listed', 'listUsers returns users without an address by id', (right) => ({
    listUsers: async (query) => (query.part === 'id' ? [] : right.listUsers(query)),
  })),
]

const accounts = [
  defect('upper and lower case are the same in account ids', 'provider account ids are exact', (right) => {
    const fold = <T extends { providerAccountId: string }>(key: T): T => ({
      ...key,
      providerAccountId: key.providerAccountId.toLowerCase(),
    })
    return {
      linkAccount: (account) => right.linkAccount(fold(account)),
      getUserByAccount: (key) => right.getUserByAccount(fold(key)),
    }
  }),
  defect('spaces at the end of account ids do not count', 'provider account ids are exact', (right) => ({
    getUserByAccount: (key) => right.getUserByAccount({ ...key, providerAccountId: key.providerAccountId.trimEnd() }),
  })),
  defect('an account is found by its id alone', 'takes the same id at two providers', (right) => ({
    linkAccount: (account) => right.linkAccount({ ...account, provider: 'any' }),
    getUserByAccount: ({ providerAccountId }) => right.getUserByAccount({ provider: 'any', providerAccountId }),
  })),
  defect(
    'an account moves to whom it is linked last',
    'linkAccount rejects an account that is linked already',
    (right) => ({
      linkAccount: async (account) => {
        await right.unlinkAccount(account)
        return right.linkAccount(account)
      },
    }),
  ),
  defect(
    'an account is looked up before it is stored',
    'of 20 links of one account at once exactly one is stored',
    (right) => ({
      linkAccount: async (account) => {
        if (await right.getUserByAccount(account)) throw new Error('taken')
        await roundTrip()
        await right.unlinkAccount(account)
        await right.linkAccount(account)
      },
    }),
  ),
  defect('an id_token is cut off', 'getAccount returns all that was stored', (right) => ({
    linkAccount: (account) => right.linkAccount({ ...account, id_token: account.id_token?.slice(0, 2048) }),
  })),
  defect('a number comes back as text', 'getAccount returns all that was stored', (right) => ({
    getAccount: async (id, provider) => {
      const account = await right.getAccount(id, provider)
      return account && Object.assign(account, { expires_at: String(account.expires_at) })
    },
  })),
  defect('a long token is refused', 'linkAccount takes long tokens', (right) => ({
    linkAccount: async (account) => {
      if ((account.refresh_token?.length ?? 0) > 2048)
        throw new Error('value too long for type character varying(2048)')
      return right.linkAccount(account)
    },
  })),
  defect('getAccount takes its parameters the other way round', 'getAccount returns all that was stored', (right) => ({
    getAccount: (id, provider) => right.getAccount(provider, id),
  })),
  defect('all accounts of the provider are unlinked', 'unlinkAccount removes that account only', (right) => {
    const linked: Array<{ provider: string; providerAccountId: string }> = []
    return {
      linkAccount: async (account) => {
        linked.push(account)
        return right.linkAccount(account)
      },
      unlinkAccount: async ({ provider }) => {
        for (const key of linked) if (key.provider === provider) await right.unlinkAccount(key)
      },
    }
  }),
]

const sessions = [
  defect(
    'a session that is gone comes back when it is extended',
    'updateSession of a session that is not there returns nothing and creates nothing',
    (right) => ({
      updateSession: async ({ sessionToken, userId = '', expires = new Date() }) =>
        (await right.updateSession({ sessionToken, expires })) ??
        right.createSession({ sessionToken, userId, expires }),
    }),
  ),
  defect(
    'a session is read, changed and written',
    'a session that is deleted while it is extended does not come back',
    (right) => ({
      updateSession: async (changes) => {
        const found = await right.getSessionAndUser(changes.sessionToken)
        if (!found) return null
        await roundTrip()
        await right.deleteSession(changes.sessionToken)
        return right.createSession({ ...found.session, ...changes })
      },
    }),
  ),
  defect('times are shifted by a time zone', 'keeps the end of a session, whatever the time zone', (right) => ({
    createSession: (session) => right.createSession({ ...session, expires: anHourLater(session.expires) }),
  })),
  defect('times are text', 'getSessionAndUser returns both', (right) => ({
    getSessionAndUser: async (token) => {
      const found = await right.getSessionAndUser(token)
      if (found) Object.assign(found.session, { expires: found.session.expires.toISOString() })
      return found
    },
  })),
  defect('the columns of session and user get mixed', 'getSessionAndUser returns both', (right) => ({
    getSessionAndUser: async (token) => {
      const found = await right.getSessionAndUser(token)
      return found && { ...found, user: { ...found.user, id: found.session.sessionToken } }
    },
  })),
  defect('a token that is taken is given to the next', 'createSession rejects a token that is taken', (right) => ({
    createSession: async (session) => {
      await right.deleteSession(session.sessionToken)
      return right.createSession(session)
    },
  })),
  defect('a user has one session', 'a user may have several sessions', (right) => ({
    createSession: async (session) => {
      await right.deleteSessionsByUserId(session.userId)
      return right.createSession(session)
    },
  })),
  defect('signing out twice is an error', 'deleteSession ends the session; a second time is no error', (right) => ({
    deleteSession: async (token) => {
      if (!(await right.deleteSession(token))) throw new Error('Record to delete does not exist')
    },
  })),
  defect('spaces at the end of session tokens do not count', 'session tokens are exact', (right) => ({
    getSessionAndUser: (token) => right.getSessionAndUser(token.trimEnd()),
  })),
  defect('sessions of everybody are listed', 'listSessionsByUserId lists the sessions of that user', (right) => {
    const owners = new Set<string>()
    return {
      createSession: async (session) => {
        owners.add(session.userId)
        return right.createSession(session)
      },
      listSessionsByUserId: async () => {
        const lists = [...owners].map(async (owner) => right.listSessionsByUserId(owner))
        return (await Promise.all(lists)).flat()
      },
    }
  }),
]

const tokens = [
  defect('a token is found, then deleted', 'of 50 uses of one token at once exactly one gets it', (right) => {
    const stored = new Map<string, { identifier: string; token: string; expires: Date }>()
    return {
      createVerificationToken: async (token) => {
        if (stored.has(token.identifier + token.token)) throw new Error('taken')
        stored.set(token.identifier + token.token, token)
      },
      useVerificationToken: async ({ identifier, token }) => {
        const found = stored.get(identifier + token) ?? null
        await roundTrip()
        stored.delete(identifier + token)
        return found
      },
      deleteVerificationTokens: right.deleteVerificationTokens,
    }
  }),
  defect('a token that is used stays', 'useVerificationToken returns the token once', (right) => ({
    useVerificationToken: async (key) => {
      const found = await right.useVerificationToken(key)
      if (found) await right.createVerificationToken(found)
      return found
    },
  })),
  defect('a second token takes the place of the first', 'keeps several tokens of one address', (right) => ({
    createVerificationToken: async (token) => {
      await right.deleteVerificationTokens(token.identifier)
      return right.createVerificationToken(token)
    },
  })),
  defect(
    'a wrong try uses up the token',
    'useVerificationToken wants both address and token, and leaves others alone',
    (right) => ({
      useVerificationToken: async (key) => {
        const found = await right.useVerificationToken(key)
        if (!found) await right.deleteVerificationTokens(key.identifier)
        return found
      },
    }),
  ),
  defect('an address is a pattern', 'deleteVerificationTokens takes an address for no pattern', (right) => {
    const known = new Set<string>()
    return {
      createVerificationToken: async (token) => {
        known.add(token.identifier)
        return right.createVerificationToken(token)
      },
      deleteVerificationTokens: async (pattern) => {
        const like = (text: string) =>
          pattern.endsWith('%') ? text.startsWith(pattern.slice(0, -1)) : text === pattern
        for (const identifier of known) if (like(identifier)) await right.deleteVerificationTokens(identifier)
      },
    }
  }),
]

const others = [
  defect('a counter has 31 bits', 'updateAuthenticatorCounter changes the counter of that passkey', (right) => ({
    updateAuthenticatorCounter: (id, counter) => right.updateAuthenticatorCounter(id, Math.min(counter, 2 ** 31 - 1)),
  })),
  defect('a passkey may belong to two users', 'createAuthenticator rejects an id that is taken', (right) => ({
    createAuthenticator: async (key) => {
      await right.deleteAuthenticator(key.credentialID)
      return right.createAuthenticator(key)
    },
  })),
  defect('a truth value is a number', 'getAuthenticator finds a passkey by its id, whole', (right) => ({
    getAuthenticator: async (id) => {
      const key = await right.getAuthenticator(id)
      return key && Object.assign(key, { credentialBackedUp: Number(key.credentialBackedUp) })
    },
  })),
  defect(
    'ids of passkeys have 255 characters',
    'takes a passkey with the longest id that WebAuthn allows',
    (right) => ({
      createAuthenticator: (key) => right.createAuthenticator({ ...key, credentialID: key.credentialID.slice(0, 255) }),
    }),
  ),
  defect('upper and lower case are the same in ids of passkeys', 'ids of passkeys are exact', (right) => {
    const ids = new Map<string, string>()
    return {
      createAuthenticator: async (key) => {
        ids.set(key.credentialID.toLowerCase(), key.credentialID)
        return right.createAuthenticator(key)
      },
      getAuthenticator: (id) => right.getAuthenticator(ids.get(id.toLowerCase()) ?? id),
    }
  }),
  defect('all passkeys get the name', 'renameAuthenticator names that passkey', (right) => ({
    renameAuthenticator: async (id, name) => {
      const { userId = '' } = (await right.getAuthenticator(id)) ?? {}
      for (const { credentialID } of await right.listAuthenticatorsByUserId(userId)) {
        await right.renameAuthenticator(credentialID, name)
      }
    },
  })),
  defect(
    'the time when a passkey was made is lost',
    'createAuthenticator keeps name and time, where passkeys have names',
    (right) => ({ createAuthenticator: ({ createdAt: _, ...key }) => right.createAuthenticator(key) }),
  ),
  defect(
    'the first name of a passkey is lost',
    'createAuthenticator keeps name and time, where passkeys have names',
    (right) => ({ createAuthenticator: (key) => right.createAuthenticator({ ...key, name: null }) }),
  ),
  defect('the use of a passkey is not noted', noted, (right) => ({
    updateAuthenticatorCounter: (id, counter) => right.updateAuthenticatorCounter(id, counter),
  })),
  defect('a use of a passkey is a time as text', noted, (right) => ({
    getAuthenticator: async (id) => {
      const key = await right.getAuthenticator(id)
      return key?.lastUsedAt ? Object.assign(key, { lastUsedAt: key.lastUsedAt.toISOString() }) : key
    },
  })),
  defect('a use takes the name', noted, (right) => ({
    updateAuthenticatorCounter: async (id, counter, use) => {
      if (use) await right.renameAuthenticator(id, '')
      return right.updateAuthenticatorCounter(id, counter, use)
    },
  })),
  defect('a use is noted at all passkeys of the user', noted, (right) => ({
    updateAuthenticatorCounter: async (id, counter, use) => {
      const { userId = '' } = (await right.getAuthenticator(id)) ?? {}
      for (const key of await right.listAuthenticatorsByUserId(userId)) {
        if (use)
          await right.updateAuthenticatorCounter(key.credentialID, key.counter, {
            ...use,
            credentialBackedUp: key.credentialBackedUp,
          })
      }
      return right.updateAuthenticatorCounter(id, counter, use)
    },
  })),
  defect('without a use the last one is forgotten', noted, (right) => ({
    updateAuthenticatorCounter: (id, counter, use) =>
      right.updateAuthenticatorCounter(id, counter, use ?? { credentialBackedUp: false, lastUsedAt: new Date(0) }),
  })),
  defect('a deleted passkey stays', 'deleteAuthenticator deletes that passkey; a second time is no error', () => ({
    deleteAuthenticator: async () => {},
  })),
  defect(
    'the first step of a transaction is not there for the second',
    'a transaction sees what it did itself',
    (right) => ({
      transaction: (work) => right.transaction((within) => work({ ...within, getUserByEmail: async () => null })),
    }),
  ),
  defect(
    'a transaction is none',
    'a transaction whose work rejects leaves nothing, and rejects with the same error',
    (right) => ({
      transaction: (work) => work(right),
    }),
  ),
  defect(
    'an error gets lost',
    'a transaction whose work rejects leaves nothing, and rejects with the same error',
    (right) => ({
      transaction: (work) =>
        right.transaction(work).catch(() => {
          throw new Error('transaction failed')
        }),
    }),
  ),
  defect(
    'a transaction writes at once, and cleans up when it fails',
    'other callers do not see the writes of a failed transaction',
    (right) => ({
      transaction: async (work) => {
        const created: string[] = []
        const createUser = async (user: AdapterUser) => {
          const stored = await right.createUser(user)
          created.push(stored.id)
          return stored
        }
        try {
          return await work({ ...right, createUser })
        } catch (error) {
          for (const id of created) await right.deleteUser(id)
          throw error
        }
      },
    }),
  ),
  defect(
    'a transaction that fails takes everything back',
    'what others write while a transaction fails stays',
    (right) => {
      const created: string[] = []
      return {
        createUser: async (user) => {
          const stored = await right.createUser(user)
          created.push(stored.id)
          return stored
        },
        transaction: async (work) => {
          const before = created.length
          try {
            return await right.transaction(async (within) => work({ ...within }))
          } catch (error) {
            for (let turn = 0; turn < 10; turn += 1) await roundTrip()
            for (const id of created.splice(before)) await right.deleteUser(id)
            throw error
          }
        },
      }
    },
  ),
  defect(
    'nothing of a transaction is kept',
    'what a transaction did is there when it has ended, and it returns what its work returns',
    (right) => ({
      transaction: async (work) => {
        const kept: { result?: Awaited<ReturnType<typeof work>> } = {}
        const undo = new Error('undo')
        const outcome = right.transaction(async (within) => {
          kept.result = await work(within)
          throw undo
        })
        return outcome.catch((error) => {
          if (error === undo && 'result' in kept) return kept.result as Awaited<ReturnType<typeof work>>
          throw error
        })
      },
    }),
  ),
]

/** All of them. */
const onlyAsRead = 'is written only where it is as it was read'

const data = [
  defect('the data of a session is cut off', 'is read with the session and its user', (right) => ({
    writeSessionData: (change) => right.writeSessionData({ ...change, data: change.data.slice(0, 4096) }),
  })),
  defect('all sessions of a user have the same data', 'is read with the session and its user', (right) => {
    let last: string | null = null
    return {
      writeSessionData: (change) => {
        last = change.data
        return right.writeSessionData(change)
      },
      getSessionUserAndData: async (token) => {
        const found = await right.getSessionUserAndData(token)
        return found && { ...found, data: last }
      },
    }
  }),
  defect('data is written whatever it was before', onlyAsRead, (right) => ({
    writeSessionData: async (change) => {
      const previous = (await right.getSessionUserAndData(change.sessionToken))?.data ?? null
      return right.writeSessionData({ ...change, previous })
    },
  })),
  defect('data is compared without upper and lower case', onlyAsRead, (right) => ({
    writeSessionData: async (change) => {
      const held = (await right.getSessionUserAndData(change.sessionToken))?.data ?? null
      const previous = held?.toLowerCase() === change.previous?.toLowerCase() ? held : change.previous
      return right.writeSessionData({ ...change, previous })
    },
  })),
  defect('data is read, and then written', 'of 20 changes at once exactly one is written', (right) => ({
    writeSessionData: async (change) => {
      const read = async () => (await right.getSessionUserAndData(change.sessionToken))?.data ?? null
      if ((await read()) !== change.previous) return false
      await roundTrip()
      return right.writeSessionData({ ...change, previous: await read() })
    },
  })),
  defect('an extension makes a new row, without the data', 'stays while the session is extended', (right) => {
    const lost = new Set<string>()
    return {
      updateSession: (session) => {
        lost.add(session.sessionToken)
        return right.updateSession(session)
      },
      getSessionUserAndData: async (token) => {
        const found = await right.getSessionUserAndData(token)
        return found && (lost.has(token) ? { ...found, data: null } : found)
      },
    }
  }),
  defect('data can be written where there is no session', 'ends with the session', (right) => ({
    writeSessionData: async (change) => (await right.writeSessionData(change)) || change.previous === null,
  })),
]

export const defects: readonly Defect[] = [...users, ...lists, ...accounts, ...sessions, ...data, ...tokens, ...others]
