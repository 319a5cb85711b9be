/** Inputs of strangers, for some seconds and always the same: `npm run fuzz` does it for any time. */
import { expect } from 'chai'
import { extent } from '../support/extent.js'
import { startWatch, type Watch } from './explore.js'
import { doors, openSite, type Site, strategies } from './site.js'
import { targets } from './targets/index.js'

/** Each night ten times as many, from another seed. */
const isNight = extent === 'all'
const seed = isNight ? Math.floor(Date.now() / 86_400_000) : 16

for (const [turn, door] of doors.entries()) {
  // Each door with another strategy; `npm run fuzz` takes all four in turn.
  for (const strategy of isNight ? strategies : [strategies[turn] ?? 'jwt']) {
    describe(`inputs of strangers at the door ${door}, with ${strategy} sessions`, () => {
      let site: Site
      let watch: Watch
      before(async () => {
        site = await openSite(door, strategy)
        // A machine that does other things, too, stands still by itself.
        watch = startWatch(250)
      })
      beforeEach(() => site.renew())
      after(async () => {
        watch.close()
        await site.close()
      })

      for (const target of targets) {
        it(`does no harm: ${target.name}`, async () => {
          const runs = isNight ? target.runs * 10 : target.runs
          const { inputs, find } = await target.explore({ site, watch, seed, runs })
          expect(find, find).to.equal(undefined)
          expect(inputs).to.be.at.least(runs)
        })
      }
    })
  }
}
