import type { NextConfig } from 'next'

const config: NextConfig = {
  // As `create-next-app` sets it: what depends on a request stands below a `<Suspense>`, here the one in `app/layout.tsx`.
  cacheComponents: true,
  partialPrefetching: true,
  // The Dockerfile sets it: the build then contains the server, and the packages that it needs.
  ...(process.env.NEXT_OUTPUT === 'standalone' && { output: 'standalone' }),
}

export default config
