/** A package registry on loopback, as npm uses it: one version of one package. */
import { createHash } from "node:crypto"
import { execFileSync } from "node:child_process"
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
  { code, name, version }: Package,
  use: (registry: { readonly url: string; readonly asked: ReadonlyArray<string> }) => Promise<A>
): Promise<A> => {
  const root = join(folder, "package")
  mkdirSync(root, { recursive: true })
  const manifest = { name, version, type: "module", exports: "./index.js" }
  writeFileSync(join(root, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(root, "index.js"), code)
  const archive = join(folder, "package.tgz")
  execFileSync("tar", ["-czf", archive, "-C", folder, "package"])
  const bytes = readFileSync(archive)
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    asked.push(path)
    if (path === "/package.tgz") return response.end(bytes)
    if (path !== `/${name}`) return response.writeHead(404).end("{}")
    const dist = { tarball: `${url}/package.tgz`, integrity }
    const packument = { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } }
    response.writeHead(200, { "content-type": "application/json" })
    return response.end(JSON.stringify(packument))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await use({ url, asked })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
