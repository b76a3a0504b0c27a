/** Fields that several configuration keys share. */
import * as Schema from "effect/Schema"

/** An optional key; `description` appears in the published schema and the documents. */
export const describe = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const bound = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))

/** Resource limits of a language server or MCP server; null: no limit. */
export const serverLimits = describe(
  Schema.Struct({
    memoryBytes: describe(bound, "Private memory of each process; default 4 GiB"),
    processes: describe(bound, "Processes and threads together; does not bind root; default 256"),
    cpuSeconds: describe(bound, "Processor time of each process; default: none"),
    openFiles: describe(bound, "Open files of each process; default 4096")
  }),
  "Resource limits of the server"
)
