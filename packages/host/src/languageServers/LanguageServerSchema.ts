/** The key `languageServers` of the operator's configuration: the servers that the tools lsp_* use. */
import * as Schema from "effect/Schema"
import { describe, serverLimits } from "../ConfigFields.ts"

const text = Schema.NonEmptyString

export const LanguageServer = Schema.Struct({
  command: describe(
    text,
    "Program that speaks the protocol on stdin and stdout; default: that of the known server of this name"
  ),
  args: describe(Schema.Array(Schema.String), "Arguments of the program"),
  extensions: describe(
    Schema.Array(Schema.String.check(Schema.isPattern(/^[^./\s]+$/u, { expected: "an extension without its dot" }))),
    "File extensions without the dot, such as go; default: those of the known server of this name"
  ),
  initializationOptions: describe(Schema.Json, "Initialization options, as the server documents them"),
  settings: describe(Schema.Json, "Settings by section, as the server documents them"),
  enabled: describe(Schema.Boolean, "Whether the server is used; default true"),
  limits: serverLimits
})
export type LanguageServer = typeof LanguageServer.Type

export const LanguageServers = Schema.Record(Schema.String, LanguageServer)
