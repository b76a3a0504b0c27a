/** The values that every command of `bough-gateway` reads. */
import * as Context from "effect/Context"

export class Root extends Context.Service<
  Root,
  {
    /** The folder of everything that the gateway stores. */
    readonly dataDirectory: string
  }
>()("@bough/gateway/Root") {}
