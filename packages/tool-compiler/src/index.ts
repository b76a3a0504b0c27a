/** Tools from documented async functions, at build time. */
export * as CompileError from "./CompileError.ts"
export { compile, type Compiled } from "./compile.ts"
