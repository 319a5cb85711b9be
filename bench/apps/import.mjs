/** Imports Express and what it is told to, and prints the milliseconds of CPU that the process has used until then. */
import 'express'

for (const name of process.argv.slice(2)) await import(name)
const { user, system } = process.cpuUsage()
console.log((user + system) / 1000)
