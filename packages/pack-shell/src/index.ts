/** Running commands. */
export * as CommandWords from "./CommandWords.ts"
export { RunCommand } from "./RunCommand.ts"
export * as ShellPack from "./ShellPack.ts"
