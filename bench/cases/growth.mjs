/** The growth of cost with providers and with other cookies, and of memory with many tokens. */
import { write } from '../harness/http.mjs'
import { cpuPerRequest } from '../harness/measure.mjs'
import { claimsOf, mints } from '../harness/tokens.mjs'

export const providers = {
  id: 'providers',
  title: 'One, ten and a hundred providers',
  about: 'The guarded route with one hot token of 200 B, in applications with 1, 10 and 100 providers.',
  async run(bench) {
    const express = await bench.start('bare', 'express')
    const variants = []
    for (const [title, module, name] of [
      ['server-auth', 'ours', 'getSession'],
      ['@auth/express', 'auth-js', 'encrypted cookie'],
    ]) {
      const cookie = await (await mints[module]())(claimsOf(200))
      if (module === 'ours') variants.push(bench.get('Express', express, { cookie }))
      for (const count of [1, 10, 100]) {
        const server = await bench.start(module, name, { providers: count })
        variants.push(bench.get(`${title}, ${count}`, server, { cookie }))
      }
    }
    return [{ id: 'providers', title: 'Providers', rows: await bench.compare(variants) }]
  },
}

export const cookies = {
  id: 'cookies',
  title: 'Other cookies',
  about: 'The guarded route with one hot token of 200 B after other cookies of 50 B each.',
  async run(bench) {
    const express = await bench.start('bare', 'express')
    const ours = await bench.start('ours', 'getSession')
    const token = await (await mints.ours())(claimsOf(200))
    const tables = []
    for (const count of [0, 10, 40]) {
      const others = Array.from({ length: count }, (_, at) => `analytics_${at}=${'v'.repeat(50 - 13)}`)
      const cookie = [...others, token].join('; ')
      const rows = await bench.compare([
        bench.get('Express', express, { cookie }),
        bench.get('server-auth', ours, { cookie }),
      ])
      tables.push({ id: `cookies-${count}`, title: `${count} other cookies`, rows })
    }
    return tables
  },
}

export const memory = {
  id: 'memory',
  title: 'Memory under many tokens',
  about: 'Every request has a different token. The heap is measured after a full garbage collection.',
  async run(bench) {
    const mint = await mints.ours()
    const claims = claimsOf(200)
    const tables = []
    for (const [title, module, name] of [
      ['Express', 'bare', 'express'],
      ['server-auth', 'ours', 'getSession'],
    ]) {
      const server = await bench.start(module, name, { nodeOptions: ['--expose-gc'] })
      const points = []
      let sent = 0
      for (const upTo of steps(bench.settings.million)) {
        await sendDistinct(server, { count: upTo - sent, mint: () => mint(claims) })
        sent = upTo
        const { heapUsed, rss } = await server.ask('memory')
        points.push({ requests: upTo, heap: heapUsed, rss })
      }
      tables.push({ id: `memory-${module}`, title, points })
    }
    return tables
  },
}

/** The first step warms up. */
function steps(most) {
  return [0.02, 0.1, 0.25, 0.5, 1].map((part) => Math.max(16, Math.round(most * part)))
}

async function sendDistinct(server, { count, mint }) {
  const batch = 5000
  for (let sent = 0; sent < count; sent += batch) {
    const texts = []
    for (let at = sent; at < Math.min(sent + batch, count); at += 1) {
      texts.push(write(server.port, { path: '/guarded', cookie: await mint() }))
    }
    await cpuPerRequest(server, { count: texts.length, message: (at) => texts[at] })
  }
}
