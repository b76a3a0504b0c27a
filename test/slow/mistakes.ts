/**
 * The thirty-five mistakes that authors and callers of tools made when the contract was tried from outside, and the
 * message for each. The messages are pinned beside the mistakes: the compiler's in `typetest/expected.ts`, those of
 * declarations and calls in the tables of the packages' tests.
 */

/** One way to make a mistake. `says` are words of the message. */
export interface MistakenPack {
  /** `tsc`: a file that does not compile. `declared`, `called`: a row of a table that is run. */
  readonly by: "tsc" | "declared" | "called"
  readonly name: string
  /** The words that name the fix; null: the message only names the fault. */
  readonly fix: string | null
}

export interface Mistake {
  readonly mistake: string
  readonly made: ReadonlyArray<MistakenPack>
}

const tsc = (name: string, fix: string | null): MistakenPack => ({ by: "tsc", name, fix })
const declared = (name: string, fix: string | null): MistakenPack => ({ by: "declared", name, fix })
const called = (name: string, fix: string | null): MistakenPack => ({ by: "called", name, fix })

export const mistakes: ReadonlyArray<Mistake> = [
  {
    mistake: "capability that is not declared",
    made: [
      tsc("undeclared-capability", "list it in capabilities"),
      tsc("several-undeclared", "execute uses Execution, WorkspaceWrite: list it in capabilities")
    ]
  },
  {
    mistake: "the same in an async tool",
    made: [
      tsc(
        "undeclared-capability-async",
        "'WorkspaceWrite' does not exist on type 'AsyncContext<readonly [typeof WorkspaceRead]>'"
      )
    ]
  },
  {
    mistake: "tier below the floor",
    made: [
      tsc("tier-below-floor", "the tier is at least System, the floor of Execution"),
      declared("tier below the floor", "must be at least System, the floor of Database")
    ]
  },
  {
    mistake: "error that is none of the four",
    made: [
      tsc("foreign-error", "map it to one of the four ToolErrors"),
      called("failure that is not a ToolError", "map it to one of the four")
    ]
  },
  {
    mistake: "output that does not fit, and none for people",
    made: [
      tsc("unfit-output", `'"changed" | "new"'`),
      tsc("unfit-output-async", "Property 'state' is missing"),
      tsc("no-display", "Property 'display' is missing"),
      called("no display", "display: is missing")
    ]
  },
  {
    mistake: "classify, preview or findExisting that writes",
    made: [
      tsc("writing-classify", "it may use declared capabilities that only read"),
      tsc("writing-preview", "it may use declared capabilities that only read"),
      tsc("writing-find-existing", "it may use declared capabilities that only read")
    ]
  },
  {
    mistake: "writer for a Worker",
    made: [tsc("unsatisfied-kind", "a Worker has no WorkspaceWrite: leave out the tools that use it")]
  },
  {
    mistake: "own capability that no kind holds",
    made: [
      tsc("own-capability-not-held", "write SessionKind.Main.with(Database).tools("),
      tsc("own-capability-worker", "a Worker holds what only reads")
    ]
  },
  {
    mistake: "capability that a plain program lacks",
    made: [tsc("open-lacks-a-capability", "a plain program has no NetworkRead: pass network: {}")]
  },
  {
    mistake: "tier misspelt, version left out",
    made: [
      tsc("tier-misspelt", `Did you mean '"Workspace"'?`),
      tsc("no-version", "Property 'version' is missing"),
      declared("tier in lower-case letters", "must be one of ReadOnly, Workspace, System, Elevated"),
      declared("no version", "must be a whole number, raised when the tool's behaviour changes")
    ]
  },
  {
    mistake: "wrong arguments of an opened tool",
    made: [
      tsc("opened-wrong-argument", "Property 'mode' is missing"),
      tsc("opened-misspelt-tool", "Did you mean 'count_words'?"),
      called("misspelt argument", String.raw`did you mean \"path\"?`),
      called("tool that there is not", "the nearest: t_do")
    ]
  },
  {
    mistake: "async classify that writes",
    made: [tsc("writing-classify-async", "may use declared capabilities that only read")]
  },
  {
    mistake: "Elevated tool for a Worker",
    made: [
      tsc("elevated-for-worker", "a Worker calls ReadOnly tools only: leave out write_text"),
      tsc("wide-tier-for-worker", "a Worker calls ReadOnly tools only: leave out write_text")
    ]
  },
  {
    mistake: "findExisting on a tool that is not Idempotent",
    made: [declared("findExisting on a Safe tool", 'leave it out, or declare replay: "Idempotent"')]
  },
  {
    mistake: "parameters that are not an object",
    made: [
      declared("a text for parameters", "Schema.Struct({ value: … })"),
      declared("a union for parameters", "a union goes into a field"),
      declared("a record for parameters", "a record goes into a field")
    ]
  },
  {
    mistake: "two tools of one name",
    made: [
      tsc("two-of-one-name", "two tools named write_text: rename one of them"),
      tsc("two-of-merged-packs", "rename one of them, or merge only one of the packs"),
      declared("two tools of one name", "of the pack files and the pack data: rename one of them")
    ]
  },
  {
    mistake: "name that providers refuse",
    made: [
      declared("name with capitals and spaces", "as in read_file"),
      declared("empty name", "as in read_file"),
      declared("name of 65 letters", "at most 64")
    ]
  },
  {
    mistake: "tool called then",
    made: [declared("name that makes a promise of a pack", "choose another name")]
  },
  {
    mistake: "rule of a tool that there is not",
    made: [called("rule of a tool that there is not", "the tools are t_do")]
  },
  {
    mistake: "date and number in texts that are none",
    made: [called("date that is none", "n: Expected a finite number")]
  },
  {
    mistake: "output of another type than the schema's",
    made: [called("output of a text for a date", "a: Expected a valid Date")]
  },
  {
    mistake: "union without its tag",
    made: [called("union without its tag", String.raw`u: kind must be \"x\" or \"y\"`)]
  },
  {
    mistake: "parameter that may be undefined",
    made: [declared("parameter that may be undefined", "use Schema.optionalKey(…) for what may be left out")]
  },
  {
    mistake: "wrong value in an object that holds itself",
    made: [called("object that holds itself", "tree.children.0.children: is missing")]
  },
  {
    mistake: "default outside its own check",
    made: [
      declared("default outside its check", "its default is not one of its values: Expected a value between 1 and 10")
    ]
  },
  {
    mistake: "default of Effect outside its own check",
    made: [
      declared(
        "default of Effect outside its check",
        "its default is not one of its values: Expected a value less than 10"
      )
    ]
  },
  {
    mistake: "check without words",
    made: [
      declared("check without words", "write Schema.makeFilter(…, { expected: "),
      declared("check with empty words", "write Schema.makeFilter(…, { expected: ")
    ]
  },
  {
    mistake: "value that is none of 5,000",
    made: [called("value out of 5,000", "must be one of 5000 values, such as")]
  },
  {
    mistake: "output that is not JSON",
    made: [
      called("function in an output", "a: Expected JSON value: it is a function"),
      called("cycle in an output", "a.self: Expected JSON value: it contains itself")
    ]
  },
  {
    mistake: "handler that throws",
    made: [
      called("throws", "tell the author of the tool"),
      called("throws in an async tool", null),
      called("throws what is not an error in an async tool", null)
    ]
  },
  {
    mistake: "handler that never ends",
    made: [called("never ends", null), called("never ends in an async tool", null)]
  },
  {
    mistake: "media that is none",
    made: [called("media that is none", "media.0.data: Expected base64")]
  },
  {
    mistake: "classify or timeoutMillis that throws",
    made: [
      called("classify throws", "classify: Error: boom"),
      called("timeoutMillis throws", "tell the author of the tool"),
      declared("time-out in words", "must be a positive number of milliseconds")
    ]
  },
  {
    mistake: "call that cannot be made",
    made: [
      called("secret in an argument", "do without its value"),
      called("nobody to approve", "pass approve to open or to the call"),
      called("approve throws", "approve failed: Error: boom"),
      called("aborted call", "The operation was aborted due to timeout"),
      called("call of a closed pack", "the pack is closed")
    ]
  },
  {
    mistake: "argument that is not JSON",
    made: [
      called("circular argument", "cannot be written as JSON: Converting circular structure"),
      called("bigint where the schema has none", "cannot be written as JSON: Do not know how to serialize a BigInt")
    ]
  }
]
