/** Mistakes that the compiler finds, one per file of `fixtures`, with its message for each. */

export interface Diagnostic {
  readonly code: string
  /** The innermost reason of the message. */
  readonly reason: string
}

const notForWorkers = (tier: string): string =>
  'Type \'ToolPack<never, ByName<readonly [Tool<"write_text", Struct<{ readonly path: String; readonly content: String; ' +
  '}>, Struct<{ readonly bytes: Natural; readonly state: Literals<readonly ["new", "changed"]>; }>, never, ' +
  `${tier}>]>>' is not assignable to type '"a Worker calls ReadOnly tools only: leave out write_text"'.`

export const expected: Readonly<Record<string, Diagnostic>> = {
  "undeclared-capability": {
    code: "TS2322",
    reason: `Type 'WorkspaceWrite' is not assignable to type '"execute uses WorkspaceWrite: list it in capabilities"'.`
  },
  "undeclared-capability-async": {
    code: "TS2339",
    reason: "Property 'WorkspaceWrite' does not exist on type 'AsyncContext<readonly [typeof WorkspaceRead]>'."
  },
  "unsatisfied-kind": {
    code: "TS2345",
    reason:
      'Type \'ToolPack<WorkspaceRead | WorkspaceWrite, ByName<readonly [Tool<"write_text", Struct<{ readonly path: ' +
      'String; readonly content: String; }>, Struct<...>, WorkspaceRead | WorkspaceWrite, "Workspace">]>>\' is not ' +
      `assignable to type '"a Worker has no WorkspaceWrite: leave out the tools that use it"'.`
  },
  "elevated-for-worker": {
    code: "TS2345",
    reason: notForWorkers('"Elevated"')
  },
  "wide-tier-for-worker": {
    code: "TS2345",
    reason: notForWorkers('"Elevated" | "ReadOnly"')
  },
  "own-capability-not-held": {
    code: "TS2345",
    reason:
      'Type \'ToolPack<Database, ByName<readonly [Tool<"sql_query", Struct<{ readonly sql: String; }>, Struct<{ readonly ' +
      `rows: $Array<String>; }>, Database, "System">]>>' is not assignable to type ` +
      `'"a Main has no Database: write SessionKind.Main.with(Database).tools(…)"'.`
  },
  "own-capability-worker": {
    code: "TS2345",
    reason:
      "Type 'typeof Database' is not assignable to type " +
      `'"a Worker holds what only reads: the floor of Database is System"'.`
  },
  "two-of-one-name": {
    code: "TS2345",
    reason:
      'Type \'Tool<"write_text", Struct<{ readonly path: String; readonly content: String; }>, Struct<{ readonly bytes: ' +
      'Natural; readonly state: Literals<readonly ["new", "changed"]>; }>, never, "Workspace">\' is not assignable to type ' +
      `'"two tools named write_text: rename one of them"'.`
  },
  "two-of-merged-packs": {
    code: "TS2345",
    reason:
      'Type \'ToolPack<never, ByName<readonly [Tool<"write_text", Struct<{ readonly text: String; }>, ' +
      'Struct<{ readonly bytes: Natural; readonly state: Literals<readonly ["new", "changed"]>; }>, never, ' +
      `"Workspace">]>>' is not assignable to type ` +
      `'"two tools named write_text: rename one of them, or merge only one of the packs"'.`
  },
  "several-undeclared": {
    code: "TS2322",
    reason:
      "Type 'Execution' is not assignable to type " +
      `'"execute uses Execution, WorkspaceWrite: list it in capabilities"'.`
  },
  "tier-below-floor": {
    code: "TS2322",
    reason: `Type '"Workspace"' is not assignable to type '"the tier is at least System, the floor of Execution"'.`
  },
  "tier-misspelt": {
    code: "TS2820",
    reason:
      `Type '"Workspac"' is not assignable to type '"Elevated" | "ReadOnly" | "System" | "Workspace"'. ` +
      `Did you mean '"Workspace"'?`
  },
  "foreign-error": {
    code: "TS2375",
    reason: `Type 'DiskFull' is not assignable to type '"fails with DiskFull: map it to one of the four ToolErrors"'.`
  },
  "unfit-output": {
    code: "TS2375",
    reason: `Type '"newest"' is not assignable to type '"changed" | "new"'.`
  },
  "unfit-output-async": {
    code: "TS2322",
    reason:
      "Property 'state' is missing in type '{ readonly bytes: 1; }' but required in type " +
      `'{ readonly bytes: number; readonly state: "changed" | "new"; }'.`
  },
  "writing-classify-async": {
    code: "TS2339",
    reason:
      "Property 'remove' does not exist on type " +
      `'"WorkspaceWrite is for execute: what looks at a call may use declared capabilities that only read"'.`
  },
  "no-display": {
    code: "TS2375",
    reason:
      "Property 'display' is missing in type '{ output: { bytes: number; state: \"new\"; }; }' but required in type " +
      `'ToolResult<{ readonly bytes: number; readonly state: "changed" | "new"; }>'.`
  },
  "no-version": {
    code: "TS2345",
    reason:
      `Property 'version' is missing in type '{ description: "Writes a text"; output: Struct<{ readonly bytes: Natural; ` +
      `readonly state: Literals<readonly ["new", "changed"]>; }>; parameters: Struct<{ readonly path: String; ` +
      `readonly content: String; }>; replay: "Idempotent"; tier: "Workspace"; capabilities: never[]; execute: () => ` +
      "Effect.Effect<...>; }' but required in type 'Facts<Codec, Codec, readonly Any[], " +
      `"Elevated" | "ReadOnly" | "System" | "Workspace">'.`
  },
  "writing-classify": {
    code: "TS2322",
    reason:
      "Type 'WorkspaceWrite' is not assignable to type " +
      `'"classify uses WorkspaceWrite: it may use declared capabilities that only read"'.`
  },
  "writing-find-existing": {
    code: "TS2322",
    reason:
      "Type 'WorkspaceWrite' is not assignable to type " +
      `'"findExisting uses WorkspaceWrite: it may use declared capabilities that only read"'.`
  },
  "writing-preview": {
    code: "TS2322",
    reason:
      "Type 'WorkspaceRead' is not assignable to type " +
      `'"preview uses WorkspaceRead: it may use declared capabilities that only read"'.`
  }
}
