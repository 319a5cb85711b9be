/** Packages are in the root of the repository. */
export default { turbopack: { root: `${import.meta.dirname}/../../..` } }
