/** A real workspace for the conformance kit: a temporary folder with the files and repositories of `open`. */
export { workspaceWorld, type WorkspaceContent } from "./WorkspaceWorld.ts"
