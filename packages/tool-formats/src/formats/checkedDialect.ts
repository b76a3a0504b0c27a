/** A format whose writers check the lists that a program passes. */
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"
import type { Dialect } from "./Dialect.ts"

const declarations = Expected.list(
  "a list of declarations, as in [ToolMessage.fromTool(tool)]",
  Expected.object("a declaration", {
    name: Expected.string,
    description: Expected.string,
    parameters: Expected.object("a JSON Schema")
  })
)

const calls = Expected.list(
  "a list of calls",
  Expected.object("a call", { id: Expected.string, name: Expected.string, arguments: Expected.string })
)

const results = Expected.list(
  "a list of results",
  Expected.object("a result", {
    callId: Expected.string,
    name: Expected.string,
    text: Expected.string,
    media: Expected.list("a list of media")
  })
)

/** Checks the first argument of the writers. `format` is the name of the module in the errors. */
export const checkedDialect = (format: string, dialect: Dialect): Dialect => {
  const writerName = (writer: string) => `${format}.dialect.${writer}`
  return {
    ...dialect,
    writeDeclarations: checkArguments(writerName("writeDeclarations"), [declarations], dialect.writeDeclarations),
    writeCalls: checkArguments(writerName("writeCalls"), [calls], dialect.writeCalls),
    writeResults: checkArguments(writerName("writeResults"), [results], dialect.writeResults)
  }
}
