/** Imports one module, or none, and prints the time that this took. */
const [specifier] = process.argv.slice(2)
const startedAtMillis = performance.now()
const exported = specifier === undefined ? null : Object.keys((await import(specifier)) as object).length
const importMillis = performance.now() - startedAtMillis
process.stdout.write(JSON.stringify({ importMillis, rssBytes: process.memoryUsage.rss(), exported }))
