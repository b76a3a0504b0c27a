/** A package registry on loopback, as npm uses it: one version of each package. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

export interface Package {
  readonly name: string
  readonly version: string
  /** The source of its one module. */
  readonly code: string
}

/** Stopped when `use` ends. `folder` is created, and holds the served files. */
export const withRegistry = async <A>(
  folder: string,
  packages: Package | ReadonlyArray<Package>,
  use: (registry: { readonly url: string; readonly asked: ReadonlyArray<string> }) => Promise<A>
): Promise<A> => {
  const listed = Array.isArray(packages) ? (packages as ReadonlyArray<Package>) : [packages as Package]
  const answers = new Map<string, (url: string) => string | Buffer>()
  for (const [index, { code, name, version }] of listed.entries()) {
    const own = join(folder, String(index))
    const root = join(own, "package")
    mkdirSync(root, { recursive: true })
    const manifest = { name, version, type: "module", exports: "./index.js" }
    writeFileSync(join(root, "package.json"), JSON.stringify(manifest))
    writeFileSync(join(root, "index.js"), code)
    const archive = join(own, "package.tgz")
    execFileSync("tar", ["-czf", archive, "-C", own, "package"])
    const bytes = readFileSync(archive)
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
    const file = index === 0 ? "/package.tgz" : `/package-${index}.tgz`
    answers.set(file, () => bytes)
    answers.set(`/${name}`, (url) => {
      const dist = { tarball: `${url}${file}`, integrity }
      return JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } })
    })
  }
  const requested: Array<string> = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    requested.push(path)
    const answer = answers.get(path)
    if (answer === undefined) return response.writeHead(404).end("{}")
    response.writeHead(200, { "content-type": path.endsWith(".tgz") ? "application/octet-stream" : "application/json" })
    return response.end(answer(url))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await use({ url, asked: requested })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
