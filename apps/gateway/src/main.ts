/** The composition root: the arguments and the environment of the process. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as Start from "./commands/Start.ts"

const defaultPort = 8642

const dataDirectory = (given: string | undefined): string =>
  resolve(given ?? process.env["BOUGH_GATEWAY_DATA"] ?? join(homedir(), ".local", "share", "bough-gateway"))

/** Serves with the arguments of this process. */
export const main = (): void => {
  const { values } = parseArgs({
    options: { host: { type: "string" }, port: { type: "string" }, data: { type: "string" } }
  })
  // LanceDB's own log: the errors of an index are reported by the memory.
  process.env["LANCEDB_LOG"] ??= "off"
  NodeRuntime.runMain(
    Start.start({
      dataDirectory: dataDirectory(values.data),
      host: values.host ?? "127.0.0.1",
      port: Number(values.port ?? defaultPort),
      environment: { variables: process.env, platform: process.platform },
      print: (line) => void process.stdout.write(`${line}\n`)
    })
  )
}
