/** Directories, small files, rules of .gitignore, and messages for errors of the operating system. */
export * as Directory from "./Directory.ts"
export * as HomeDirectory from "./HomeDirectory.ts"
export * as IgnoreRules from "./IgnoreRules.ts"
export * as ProcessIdentity from "./ProcessIdentity.ts"
export * as SmallFile from "./SmallFile.ts"
export * as SystemError from "./SystemError.ts"
