/** One attack, under the name that titles of tests have in front. */
export interface ThreatCase {
  /** Group and number, such as `RD-01`. Numbers are never given to anything else. */
  readonly id: string
  /** The attack, in a few words. */
  readonly what: string
  /** Why there is no test: what would be attacked is not there. */
  readonly notApplicable?: string
  /** Where the tests will stand that are still to be written. */
  readonly pending?: string
}

/** Cases of one class. */
export interface ThreatGroup {
  readonly title: string
  /** The heading in `docs/threats.md` below which the mechanism is told. */
  readonly section: string
  readonly cases: readonly ThreatCase[]
}

/** A case with tests. */
export const tested = (id: string, what: string): ThreatCase => ({ id, what })
/** A case without a test, and why. */
export const absent = (id: string, what: string, notApplicable: string): ThreatCase => ({ id, what, notApplicable })
/** A case whose tests are being written, and where. */
export const pending = (id: string, what: string, where: string): ThreatCase => ({ id, what, pending: where })
