import type { NextConfig } from 'next'

const config: NextConfig = {
  // As `create-next-app` sets it: what depends on a request stands below a `<Suspense>`, here the one in `app/layout.tsx`.
  cacheComponents: true,
  partialPrefetching: true,
  // Only for the example: packages are in the root of the repository. An application of yours needs no such line.
  turbopack: { root: `${import.meta.dirname}/../..` },
}

export default config
