/**
 * Makes mocha load test files with `import`. By itself it tries `require` first, and tsx would then compile tests and
 * library to CommonJS: not what users run, and `import()` in a test would load a second copy of the library.
 */
Object.defineProperty(process.features, 'require_module', { value: false })
