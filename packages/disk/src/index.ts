/** Directories, small files, and what the operating system refuses in words. */
export * as Directory from "./Directory.ts"
export * as ProcessIdentity from "./ProcessIdentity.ts"
export * as SmallFile from "./SmallFile.ts"
export * as SystemError from "./SystemError.ts"
