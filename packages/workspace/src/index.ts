/** The adapter of the workspace capabilities: path safety, atomic writes, ripgrep, git's committed files. */
export * as HeadCommit from "./HeadCommit.ts"
export * as RepositoryState from "./RepositoryState.ts"
export * as Refusal from "./Refusal.ts"
export * as Sensitive from "./Sensitive.ts"
export * as Workspace from "./Workspace.ts"
