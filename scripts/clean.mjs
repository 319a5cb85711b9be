/** Empties `dist/`, so that a removed source file leaves no compiled shadow in the package. */
import { rmSync } from 'node:fs'

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
