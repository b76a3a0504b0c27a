/** Tools from documented async functions, at build time. */
export * as CompileError from "./CompileError.ts"
export { compile } from "./compile.ts"
export { type CompileResult, ToolCompiler } from "./ToolCompiler.ts"
