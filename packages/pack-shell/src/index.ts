/** Running commands. */
export { RunCommand } from "./RunCommand.ts"
export * as ShellPack from "./ShellPack.ts"
