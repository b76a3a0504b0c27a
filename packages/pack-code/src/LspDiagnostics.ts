/** `lsp_diagnostics`: errors and warnings of a file, as reported by its compiler or checker. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { countOf } from "./internal/outputs.ts"
import * as Fields from "./internal/symbolFields.ts"

const Problem = Schema.Struct({
  line: Schema.Natural,
  column: Schema.Natural,
  severity: Schema.Literals(["error", "warning", "information", "hint"]),
  message: Schema.String,
  code: Schema.NullOr(Schema.String),
  source: Schema.NullOr(Schema.String)
})

const Output = Schema.Struct({
  path: Schema.String,
  server: Schema.String,
  problems: Schema.Array(Problem),
  omitted: Schema.Natural,
  complete: Schema.Boolean
})

const maxProblems = 200

export const LspDiagnostics = Tool.make("lsp_diagnostics", {
  version: 1,
  description: "List errors and warnings of a file, by its language server",
  tier: "ReadOnly",
  replay: "Safe",
  timeoutMillis: 90_000,
  capabilities: [Capability.CodeIntelligence],
  requires: ["CodeIntelligence"],
  parameters: Schema.Struct({ path: Fields.path }),
  output: Output,
  forModel: ({ complete, omitted, path, problems, server }) =>
    [
      ...(problems.length === 0 ? [`[${server}: no problems in ${path}]`] : problems.map((one) => lineOf(path, one))),
      ...(omitted === 0 ? [] : [`[${countOf(omitted, "more problem")}]`]),
      ...(complete ? [] : [`[${server} is not done yet: ask again]`])
    ].join("\n"),
  execute: Effect.fnUntraced(function* ({ path }) {
    const code = yield* Capability.CodeIntelligence
    const { isComplete, problems: found, server } = yield* code.diagnostics(path)
    const problems = found
      .toSorted((one, other) => gravity.indexOf(one.severity) - gravity.indexOf(other.severity))
      .slice(0, maxProblems)
      .map(({ code: check, column, line, message, severity, source }) => ({
        line,
        column,
        severity,
        message,
        code: check,
        source
      }))
    const errors = found.filter(({ severity }) => severity === "error").length
    return Tool.result({
      output: { path, server, problems, omitted: found.length - problems.length, complete: isComplete },
      display: `${countOf(errors, "error")} in ${path}${found.length === errors ? "" : `, ${found.length - errors} other`}`
    })
  })
})

const gravity = ["error", "warning", "information", "hint"]

const lineOf = (path: string, { code, column, line, message, severity }: typeof Problem.Type): string =>
  `${path}:${line}:${column} ${severity}${code === null ? "" : ` ${code}`}: ${message.replaceAll("\n", "\n    ")}`
