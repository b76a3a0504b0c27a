/** States of a workspace, kept outside of it. */
export * as Undo from "./Undo.ts"
export * as WorkspaceSnapshots from "./WorkspaceSnapshots.ts"
