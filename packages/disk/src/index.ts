/** Directories, small files, and messages for errors of the operating system. */
export * as Directory from "./Directory.ts"
export * as HomeDirectory from "./HomeDirectory.ts"
export * as ProcessIdentity from "./ProcessIdentity.ts"
export * as SmallFile from "./SmallFile.ts"
export * as SystemError from "./SystemError.ts"
