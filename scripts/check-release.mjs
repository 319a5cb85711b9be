/**
 * Checks whether a tag may be published: `node scripts/check-release.mjs v1.2.3 owner/repository`. A version that was
 * published cannot be published again, so that a mistake here costs a version.
 */
import { readFileSync } from 'node:fs'

const [tag = '', repository = ''] = process.argv.slice(2)
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const { version } = manifest
const faults = []

if (tag !== `v${version}`) faults.push(`The tag is ${tag}, but package.json has version ${version}.`)
if (lock.version !== version) faults.push(`package-lock.json has version ${lock.version}: run "npm install".`)

// The proof of provenance names the repository; npm refuses a package whose package.json names another one.
const urls = { homepage: manifest.homepage, bugs: manifest.bugs, repository: manifest.repository.url }
for (const [key, url] of Object.entries(urls)) {
  if (!url.includes(`github.com/${repository}`)) faults.push(`package.json: "${key}" is ${url}, not of ${repository}.`)
}

const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d\n+(?!## )\\S`, 'm')
if (!heading.test(changelog)) {
  faults.push(`CHANGELOG.md: no entries below a heading "## [${version}] - <date>". They are those of [Unreleased].`)
}

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${tag} may be published.`)
