/** Files and processes for tests: models recorded to a file, and programs that are killed with the test. */
export * as ChildProcess from "./ChildProcess.ts"
export * as RecordedModel from "./RecordedModel.ts"
