/** Tools that run commands. */
export * as CommandWords from "./CommandWords.ts"
export { ReadCommandOutput } from "./ReadCommandOutput.ts"
export { RunCommand } from "./RunCommand.ts"
export * as ShellPack from "./ShellPack.ts"
export { StartCommand } from "./StartCommand.ts"
export { StopCommand } from "./StopCommand.ts"
export { WriteCommandInput } from "./WriteCommandInput.ts"
