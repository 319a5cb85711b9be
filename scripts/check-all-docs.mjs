/**
 * `npm run check:docs`: each check of the pages, in one process, since several ask for the titles of all tests. Run it with
 * tsx and `--check`: those that can write write nothing then.
 */
if (!process.argv.includes('--check')) throw new Error('without --check it would write')

await import('./check-spec-coverage.mjs')
await import('./threat-table.mjs')
await import('./conformance-table.mjs')
await import('./check-docs.mjs')
await import('./request-files.mjs')
await import('./check-snippets.mjs')
await import('./provider-docs.mjs')
await import('./function-docs.mjs')
await import('./route-docs.mjs')
await import('./event-docs.mjs')
await import('./provider-marks.mjs')
await import('./page-script.mjs')
