/**
 * A registry on loopback for packed packages: `node scopeRegistry.ts FOLDER` serves the tarballs of a folder and prints its
 * address, until its input ends. npm asks it for this scope alone, as the users of a published package ask theirs.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"

export interface Published {
  readonly name: string
  readonly version: string
}

const blockBytes = 512

/** The package.json of an npm tarball, which is gzipped tar. */
export const manifestIn = (tarball: Buffer): Published => {
  const tar = gunzipSync(tarball)
  for (let at = 0; at < tar.length;) {
    const text = (from: number, length: number) =>
      tar.toString("utf8", at + from, at + from + length).split("\0")[0] ?? ""
    const size = Number.parseInt(text(124, 12), 8)
    const start = at + blockBytes
    if (text(0, 100) === "package/package.json")
      return JSON.parse(tar.toString("utf8", start, start + size)) as Published
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
  throw new Error("a tarball without a package.json")
}

const serve = (folder: string): void => {
  const tarballs = new Map<string, Buffer>()
  const manifests = new Map<string, Published>()
  const files = new Map<string, string>()
  for (const file of globSync("*.tgz", { cwd: folder })) {
    const bytes = readFileSync(join(folder, file))
    const found = manifestIn(bytes)
    tarballs.set(file, bytes)
    manifests.set(found.name, found)
    files.set(found.name, file)
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").slice(1))
    const tarball = tarballs.get(basename(path))
    if (tarball !== undefined) return void response.end(tarball)
    const found = manifests.get(path)
    const file = files.get(path)
    const bytes = file === undefined ? undefined : tarballs.get(file)
    if (found === undefined || bytes === undefined) return void response.writeHead(404).end("{}")
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
    const dist = { tarball: `http://${request.headers.host}/-/${file}`, integrity }
    const { name, version } = found
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...found, dist } } })
    )
  })
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
  process.stdin.on("end", () => process.exit(0)).resume()
}

/** Starts it in a process of its own, because the checks block theirs; `close` ends it. */
export const start = async (folder: string): Promise<{ readonly url: string; readonly close: () => void }> => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  for await (const url of createInterface({ input: child.stdout })) return { url, close: () => child.stdin.end() }
  throw new Error("the registry on loopback did not start")
}

if (import.meta.main && process.argv[2] !== undefined) serve(process.argv[2])
