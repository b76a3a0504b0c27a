/**
 * Replaces imports of Node's modules by reads that happen at the first use of a member. An ordinary import reads every
 * export of a module, and getters among the exports load a second HTTP client, a differ and text codecs, which took a
 * tenth of the start time. Imports at run time are unchanged.
 */
import type { OnResolveArgs, OnResolveResult, Plugin } from "esbuild"
import { isBuiltin } from "node:module"

export const builtins: Plugin = {
  name: "builtins",
  setup: (bundle) => {
    const resolve = ({ importer, kind, path }: OnResolveArgs): OnResolveResult =>
      kind === "dynamic-import"
        ? { path, external: true }
        : kind === "require-call"
          ? { path, namespace: "builtin-required" }
          : { path: `${path} ${importer}`, namespace: "builtin", pluginData: path, sideEffects: false }
    bundle.onResolve({ filter: /^node:/ }, resolve)
    // Older packages name the modules without the prefix.
    bundle.onResolve({ filter: /^[a-z_/]+$/ }, (asked) =>
      isBuiltin(asked.path) ? resolve({ ...asked, path: `node:${asked.path}` }) : null
    )
    bundle.onLoad({ filter: /.*/, namespace: "builtin-required" }, ({ path }) => ({
      loader: "js",
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`
    }))
    bundle.onLoad({ filter: /.*/, namespace: "builtin" }, ({ pluginData }) => ({
      loader: "js",
      contents: exportsOf(pluginData as string)
    }))
  }
}

/** Modules that are loaded at the first call of one of their functions, because many starts never call one. */
const calledLate = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:net",
  "node:readline",
  "node:tty"
])

/** Returns each export as a separate value, which the bundler omits if it is not used. */
const exportsOf = (path: string): string =>
  [
    // A Node without this function is too old, and the error message contains that information.
    `const builtin = () => process.getBuiltinModule?.(${JSON.stringify(path)})`,
    "const read = (name) => builtin()?.[name]",
    "const late = (name, found) => (...given) => (found ??= read(name))(...given)",
    "export default /* @__PURE__ */ builtin()",
    ...Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(path))).flatMap(([name, { value }]) => {
      if (!/^[A-Za-z_]\w*$/.test(name) || name === "default") return []
      const isCalledLate = calledLate.has(path) && typeof value === "function" && /^[a-z]/.test(name)
      return [
        `const $${name} = /* @__PURE__ */ ${isCalledLate ? "late" : "read"}("${name}")`,
        `export { $${name} as ${name} }`
      ]
    })
  ].join("\n")
