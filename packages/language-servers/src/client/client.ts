/** The client, in one module: it is loaded with the first server. */
export * as Replies from "./Replies.ts"
export * as WarmServer from "./WarmServer.ts"
export * as WorkspacePaths from "./WorkspacePaths.ts"
