/** The clients of two packages, which spell commands differently. */

/** What is used of a client, cluster or pool of the package `redis`. */
export interface NodeRedisClient {
  /** The command GET. */
  get(key: string): Promise<unknown>
  /** The command GETDEL, of Redis 6.2. */
  getDel(key: string): Promise<unknown>
  /** The command EVAL: runs a script of Lua. */
  eval(
    script: string,
    options: {
      /** The keys that the script uses. */
      keys: string[]
      /** What else it gets. */
      arguments: string[]
    },
  ): Promise<unknown>
}

/** What is used of a client or cluster of the package `ioredis`. */
export interface IORedisClient {
  /** The command GET. */
  get(key: string): Promise<unknown>
  /** The command GETDEL, of Redis 6.2. */
  getdel(key: string): Promise<unknown>
  /** The command EVAL: runs a script of Lua. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>
}

/** The commands that the stores use, as both packages have them. */
export interface Commands {
  get(key: string): Promise<unknown>
  /** GETDEL */
  take(key: string): Promise<unknown>
  /** EVAL. In a cluster all keys must be in one slot. */
  run(script: string, keys: readonly string[], ...rest: string[]): Promise<unknown>
}

/** @throws {TypeError} for what is no client. @param what The function that got it. */
export function toCommands(client: NodeRedisClient | IORedisClient, what: string): Commands {
  if (isNodeRedis(client)) {
    return {
      get: (key) => client.get(key),
      take: (key) => client.getDel(key),
      run: (script, keys, ...rest) => client.eval(script, { keys: [...keys], arguments: rest }),
    }
  }
  if (isIORedis(client)) {
    return {
      get: (key) => client.get(key),
      take: (key) => client.getdel(key),
      run: (script, keys, ...rest) => client.eval(script, keys.length, ...keys, ...rest),
    }
  }
  throw new TypeError(`${what}: pass a connected client of the package \`redis\` or \`ioredis\``)
}

/** The packages spell commands differently: that is how they are told apart. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasMethods(client, ['get', 'getDel', 'eval'])
}

function isIORedis(client: unknown): client is IORedisClient {
  return hasMethods(client, ['get', 'getdel', 'eval'])
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}
