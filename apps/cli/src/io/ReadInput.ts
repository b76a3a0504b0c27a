/** Reads all of stdin for a command. */
import { SystemError } from "@bough/disk"
import * as Effect from "effect/Effect"
import { failure, type CliFailure, usage } from "../CliFailure.ts"

/** Reads all of stdin as text; fails if stdin is a terminal. `subject` names the expected content. */
export const all = (stdin: NodeJS.ReadStream, subject: string): Effect.Effect<string, CliFailure> =>
  Effect.map(bytes(stdin, { subject, hint: "give it as an argument, or give - and pipe it in" }), (read) =>
    read.toString("utf8")
  )

/** Reads stdin to its end. Fails on a terminal, with `hint` on how to provide input. */
export const bytes = (
  stdin: NodeJS.ReadStream,
  { hint, subject }: { readonly subject: string; readonly hint: string }
): Effect.Effect<Buffer, CliFailure> =>
  stdin.isTTY
    ? Effect.fail(usage(`${subject} is missing`, hint))
    : Effect.tryPromise({
        try: async () => {
          const chunks: Array<Buffer> = []
          for await (const chunk of stdin) chunks.push(chunk as Buffer)
          return Buffer.concat(chunks)
        },
        catch: (cause) => failure(`cannot read ${subject} from stdin: ${SystemError.reason(cause)}`, hint, cause)
      })
