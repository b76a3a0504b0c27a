/** Everything that is done with a repository, as one module that is loaded with its first use. */
export * as Branches from "./Branches.ts"
export * as Commits from "./Commits.ts"
export * as Diff from "./Diff.ts"
export * as History from "./History.ts"
export * as Identity from "./Identity.ts"
export * as Push from "./Push.ts"
export * as Repository from "./Repository.ts"
export * as Status from "./Status.ts"
