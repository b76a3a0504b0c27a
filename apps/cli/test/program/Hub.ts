/** A hub of models on loopback: the files of a folder at the paths at which huggingface.co has them. */
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

export interface Hub {
  readonly url: string
  /**
   * The files that were fetched completely, as `NAME/FILE`, or `NAME@REVISION/FILE` for a revision other than main, in
   * order.
   */
  readonly served: ReadonlyArray<string>
}

const path = /^\/((?:[\w.-]+\/)?[\w.-]+)\/resolve\/([\w.-]+)\/([\w./-]+)$/

/**
 * The files of the model NAME are in `folder`/NAME, of another revision in `folder`/NAME@REVISION. Stopped when `use`
 * ends.
 */
export const withHub = async <A>(folder: string, use: (hub: Hub) => Promise<A>): Promise<A> => {
  const served: Array<string> = []
  const server = createServer((request, response) => {
    const [, model = "", revision = "", file = ""] = path.exec(request.url ?? "") ?? []
    const name = revision === "main" ? model : `${model}@${revision}`
    const content = join(folder, name, file)
    if (!existsSync(content)) return response.writeHead(404).end()
    const bytes = readFileSync(content)
    response.writeHead(200, { "content-length": bytes.length })
    if (request.method === "HEAD") return response.end()
    served.push(`${name}/${file}`)
    return response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    return await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, served })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
