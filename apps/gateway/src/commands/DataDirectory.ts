/** The data directory, which every command of `bough-gateway` reads. */
import * as Context from "effect/Context"

export class DataDirectory extends Context.Service<
  DataDirectory,
  {
    /** The folder of everything that the gateway stores. */
    readonly dataDirectory: string
  }
>()("@bough/gateway/DataDirectory") {}
