/** One attack. Its id is at the start of test titles. */
export interface ThreatCase {
  /** The group and number, such as `RD-01`. Numbers are never reused. */
  readonly id: string
  /** The attack, in a few words. */
  readonly what: string
  /** The reason why there is no test: the attacked feature does not exist. */
  readonly notApplicable?: string
  /** The file of tests that are still to be written. */
  readonly pending?: string
}

/** Cases of one class. */
export interface ThreatGroup {
  readonly title: string
  /** The heading of the section in `docs/threats.md` that describes the mechanism. */
  readonly section: string
  readonly cases: readonly ThreatCase[]
}

/** Returns a case with tests. */
export const tested = (id: string, what: string): ThreatCase => ({ id, what })
/** A case without a test, with the reason. */
export const absent = (id: string, what: string, notApplicable: string): ThreatCase => ({ id, what, notApplicable })
/** A case whose tests are being written, with their file. */
export const pending = (id: string, what: string, where: string): ThreatCase => ({ id, what, pending: where })
