/** The code tools, alone and as packs. */
export * as CodePack from "./CodePack.ts"
export { FindSymbols } from "./FindSymbols.ts"
export { MapRepository } from "./MapRepository.ts"
export { OutlineFile } from "./OutlineFile.ts"
