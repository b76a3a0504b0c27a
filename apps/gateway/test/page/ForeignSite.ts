/** A foreign web site, at an origin of its own, whose page has `@bough/client` as bundled. */
import { build } from "esbuild"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"

export interface ForeignSite {
  readonly origin: string
  readonly close: () => Promise<void>
}

const clientModule = fileURLToPath(new URL("../../../../packages/client/src/index.ts", import.meta.url))

const page = `<!doctype html>
<html lang="en">
  <title>Another site</title>
  <link rel="icon" href="data:," />
  <script type="module">
    import * as client from "./client.js"
    globalThis.client = client
  </script>
</html>`

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [clientModule],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false
  })
  return outputFiles[0].text
}

export const start = async (): Promise<ForeignSite> => {
  const script = await bundle()
  const server = createServer((request, response) => {
    const isScript = request.url === "/client.js"
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html")
    response.end(isScript ? script : page)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the site has no port")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
