/** States of a workspace, stored outside of it. */
export * as SnapshotGroup from "./SnapshotGroup.ts"
export * as Undo from "./Undo.ts"
export * as WorkspaceSnapshots from "./WorkspaceSnapshots.ts"
