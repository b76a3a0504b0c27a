/** Commands and language servers without processes. */
import * as Effect from "effect/Effect"
import * as Capability from "../../Capability.ts"
import type { TestWorld } from "../conformance/Subject.ts"

/** Makes commands that print `done`, one of which runs in the background. `state` shows what was run and written. */
export const commands = (stdout = "done\n"): TestWorld => {
  const run: Array<string> = []
  const output = { commandId: "command_1", text: "ready\n", fromOffset: 0, nextOffset: 6, ended: null }
  const did = (operation: unknown) => Effect.sync(() => void run.push(JSON.stringify(operation)))
  const ended = { exitCode: 0, signal: null, stdout, stderr: "", omittedBytes: 0, elapsedMillis: 1 }
  const service: Capability.Execution["Service"] = {
    run: (invoke) => Effect.as(did(invoke), ended),
    background: {
      start: (invoke) => Effect.as(did(invoke), { commandId: output.commandId }),
      read: () => Effect.succeed(output),
      write: (_, text) => did(text),
      stop: (commandId) =>
        Effect.as(did({ commandId }), { ...output, ended: { exitCode: null, signal: "SIGKILL", reason: "stopped" } })
    }
  }
  return { provisions: [Capability.provide(Capability.Execution, { service })], state: () => run }
}

/** Makes a language server that finds each name in the first line of one file. */
export const languageServer = (path = "a.txt"): TestWorld => {
  const location = { path, line: 1, column: 1, endLine: 1, endColumn: 4 }
  const results = <A>(...found: ReadonlyArray<A>) => Effect.succeed({ items: found, omitted: 0 })
  const symbols = results({ ...location, name: "one", kind: "function", container: null })
  const service: Capability.CodeIntelligence["Service"] = {
    diagnostics: () => Effect.succeed({ server: "sample", problems: [], isComplete: true }),
    symbols: () => symbols,
    findSymbols: () => symbols,
    hover: () => Effect.succeed("const one: number"),
    definition: () => results(location),
    references: () => results(location),
    rename: (_path, _position, newText) => Effect.succeed([{ path, edits: [{ ...location, newText }] }])
  }
  return { provisions: [Capability.provide(Capability.CodeIntelligence, { service })] }
}
