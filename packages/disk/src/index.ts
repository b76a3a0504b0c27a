/** Directories, and what the operating system refuses in words. */
export * as Directory from "./Directory.ts"
export * as ProcessIdentity from "./ProcessIdentity.ts"
export * as SystemError from "./SystemError.ts"
