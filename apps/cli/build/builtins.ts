/**
 * Replaces imports of Node's own modules by late reads of the used members: an import of one as an ES module reads each
 * of its exports, and getters among them load a second HTTP client, a differ and text codecs, which took a tenth of the
 * whole start. Imports at run time are left to Node.
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
    // Older packages name them without the prefix.
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

/** Loaded by the first call of one of its functions: many starts end without one. */
const calledLate = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:net",
  "node:readline",
  "node:tty"
])

/** Each export as a value of its own, which the bundler leaves out if it is not used. */
const exportsOf = (path: string): string =>
  [
    // A Node without such a function is too old, and the error says so.
    `const builtin = () => process.getBuiltinModule?.(${JSON.stringify(path)})`,
    "const read = (name) => builtin()?.[name]",
    "const late = (name) => (...given) => read(name)(...given)",
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
