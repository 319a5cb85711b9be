/** The ranking of the search. The browser gets the functions as text, so they may use nothing from outside. */
export const ranking = {
  fuzzy: 0.2,
  prefix: (term: string): boolean => term.length > 3,
  boost: { title: 4, text: 2, titles: 1 },
  /** Guides solve tasks. Pages for auditors and contributors contain every word, so they come last. */
  boostDocument(id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>): number {
    const [, page = ''] = /([\w-]+)\.html/.exec(String(id)) ?? []
    // A page itself comes before its sections.
    const weight = Array.isArray(stored?.titles) && stored.titles.length === 0 ? 2 : 1
    if (/^(?:threats|conformance|asvs|design|performance|comparison|wire-contract|spec-coverage)$/.test(page)) {
      return 0.2 * weight
    }
    if (page.startsWith('from-')) return 0.4 * weight
    return (/\/(?:reference|explanations)\//.test(String(id)) ? 0.6 : 1) * weight
  },
}
