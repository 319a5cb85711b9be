import type { NextConfig } from 'next'

const config: NextConfig = {
  // As `create-next-app` sets it: what depends on a request stands below a `<Suspense>`, here the one in `app/layout.tsx`.
  cacheComponents: true,
  partialPrefetching: true,
}

export default config
