/**
 * Makes mocha load test files with `import`. Its default is to try `require` first, and tsx would then compile tests
 * and library to CommonJS: users do not run that, and `import()` in a test would load a second copy of the library.
 */
Object.defineProperty(process.features, 'require_module', { value: false })
