/**
 * Every attack that the library is tried with, by id. `scripts/threat-table.mjs` finds the tests of each, by the ids in
 * their titles, and writes the table of `docs/threats.md`; a case without a test and without a reason fails there.
 */
import type { ThreatGroup } from './case.js'
import { connections } from './connections.js'
import { caches, load, logs, openDoors, pages, races } from './operation.js'
import {
  accounts,
  apps,
  authorization,
  deletions,
  impersonation,
  limitsOfAttempts,
  mailedLinks,
  organizations,
  passkeys,
  passwords,
} from './people.js'
import { answers, attempts, fetching, idTokens, mixUps } from './providers.js'
import { forms, hosts, lines, parameters, paths, prototypes, redirects } from './requests.js'
import { cookies, fixation, life, purposes, secondFactors, tokens } from './sessions.js'
import { tenants } from './tenants.js'

export type { ThreatCase, ThreatGroup } from './case.js'

/** In the order in which the document tells them. */
export const catalogue: readonly ThreatGroup[] = [
  redirects,
  forms,
  fixation,
  life,
  secondFactors,
  attempts,
  mixUps,
  answers,
  idTokens,
  fetching,
  tokens,
  purposes,
  cookies,
  hosts,
  mailedLinks,
  passwords,
  accounts,
  deletions,
  passkeys,
  authorization,
  impersonation,
  apps,
  organizations,
  connections,
  prototypes,
  parameters,
  lines,
  caches,
  pages,
  logs,
  paths,
  load,
  limitsOfAttempts,
  races,
  openDoors,
  tenants,
]
