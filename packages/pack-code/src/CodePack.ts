/** The code tools: symbols by grammar, and answers of language servers. */
import { ToolPack } from "@bough/tool"
import { FindSymbols } from "./FindSymbols.ts"
import { LspDefinition } from "./LspDefinition.ts"
import { LspDiagnostics } from "./LspDiagnostics.ts"
import { LspHover } from "./LspHover.ts"
import { LspReferences } from "./LspReferences.ts"
import { LspRename } from "./LspRename.ts"
import { LspSymbols } from "./LspSymbols.ts"
import { MapRepository } from "./MapRepository.ts"
import { OutlineFile } from "./OutlineFile.ts"

const bySyntax = ToolPack.make(FindSymbols, OutlineFile, MapRepository)

/** The tools that need no language server, for programs without CodeIntelligence. */
export const syntax = ToolPack.named("code", bySyntax)

/** The tools that only read, for a Worker. */
export const readOnly = ToolPack.named(
  "code",
  ToolPack.merge(bySyntax, ToolPack.make(LspDiagnostics, LspSymbols, LspHover, LspDefinition, LspReferences))
)

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named("code", ToolPack.merge(readOnly, ToolPack.make(LspRename)))
