/** Reads the whole of stdin for a command. */
import { SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { failed, type CliFailure, usage } from "../CliFailure.ts"

/** All of stdin as text; a terminal is not waited for. `what` names what it should hold. */
export const all = (stdin: NodeJS.ReadStream, what: string): Effect.Effect<string, CliFailure> =>
  stdin.isTTY
    ? Effect.fail(usage(`${what} is missing`, "give it as an argument, or give - and pipe it in"))
    : Effect.tryPromise({
        try: async () => {
          const chunks: Array<Buffer> = []
          for await (const chunk of stdin) chunks.push(chunk as Buffer)
          return Buffer.concat(chunks).toString("utf8")
        },
        catch: (cause) =>
          failed(`cannot read ${what} from stdin: ${SystemError.reason(cause)}`, "give it as an argument", cause)
      })
