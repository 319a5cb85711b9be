import type { NextConfig } from 'next'

const config: NextConfig = {
  // Only for the example: packages are in the root of the repository. An application of yours needs nothing here.
  turbopack: { root: `${import.meta.dirname}/../..` },
}

export default config
