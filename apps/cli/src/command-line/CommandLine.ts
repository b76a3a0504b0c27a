/** The command line: the tree of commands over effect/cli. What the commands do is handed in. */
import * as Command from "effect/cli/Command"
import type { Approval } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { CommandFailure } from "../CliFailure.ts"
import type { DoctorOptions } from "../commands/Doctor.ts"
import * as Flags from "./Flags.ts"
import type {
  CallOptions,
  Common,
  ConfigOptions,
  ConverseOptions,
  ExplainOptions,
  ListFormat,
  MemoryListOptions,
  NoteRemoveOptions,
  NoteSaveOptions,
  NoteShowOptions,
  MemorySearchOptions,
  ReportOptions,
  RunOptions,
  TestOptions,
  ToolFormatName
} from "./Options.ts"

type Done = Effect.Effect<void, CommandFailure>

/** What each command does. */
export interface Handlers {
  /** Before every command: refuses what is wrong with the flags of all of them. */
  readonly begin: (common: Common) => Done
  readonly converse: (common: Common, options: ConverseOptions) => Done
  readonly run: (common: Common, options: RunOptions) => Done
  readonly call: (common: Common, options: CallOptions) => Done
  readonly listTools: (common: Common, options: { readonly format: ListFormat }) => Done
  readonly showTool: (common: Common, options: { readonly name: string; readonly format: ListFormat }) => Done
  readonly toolSchemas: (
    common: Common,
    options: { readonly format: ToolFormatName; readonly names: ReadonlyArray<string> }
  ) => Done
  readonly listSkills: (common: Common, options: { readonly format: ListFormat }) => Done
  readonly showSkill: (common: Common, options: { readonly name: string; readonly format: ListFormat }) => Done
  readonly listSessions: (common: Common, options: { readonly all: boolean; readonly format: ListFormat }) => Done
  readonly showSession: (common: Common, options: { readonly id: string }) => Done
  readonly forkSession: (common: Common, options: { readonly id: string; readonly at: number | null }) => Done
  readonly exportSession: (common: Common, options: { readonly id: string; readonly to: string | null }) => Done
  readonly removeSession: (common: Common, options: { readonly id: string }) => Done
  readonly getConfig: (common: Common, options: ConfigOptions & { readonly key: string | null }) => Done
  readonly setConfig: (
    common: Common,
    options: ConfigOptions & { readonly key: string; readonly value: string }
  ) => Done
  readonly unsetConfig: (common: Common, options: ConfigOptions & { readonly key: string }) => Done
  readonly editConfig: (common: Common, options: ConfigOptions) => Done
  readonly configSchema: (common: Common, options: ConfigOptions) => Done
  readonly configPath: (common: Common, options: ConfigOptions) => Done
  readonly listApprovals: (common: Common, options: { readonly format: ListFormat }) => Done
  readonly showApproval: (common: Common, options: { readonly id: string; readonly format: ListFormat }) => Done
  readonly approve: (common: Common, options: { readonly id: string; readonly always: Approval.Scope | null }) => Done
  readonly deny: (common: Common, options: { readonly id: string; readonly words: string | null }) => Done
  readonly searchMemory: (common: Common, options: MemorySearchOptions) => Done
  readonly summariseMemory: (common: Common) => Done
  readonly listMemory: (common: Common, options: MemoryListOptions) => Done
  readonly showMemory: (common: Common, options: NoteShowOptions) => Done
  readonly saveMemory: (common: Common, options: NoteSaveOptions) => Done
  readonly editMemory: (common: Common, options: { readonly id: string }) => Done
  readonly removeMemory: (common: Common, options: NoteRemoveOptions) => Done
  readonly exportMemory: (common: Common, options: { readonly folder: string }) => Done
  readonly importMemory: (common: Common, options: { readonly folder: string }) => Done
  readonly reindexMemory: (common: Common) => Done
  readonly showModel: (common: Common) => Done
  readonly installModel: (common: Common, options: { readonly model: string | null }) => Done
  readonly memoryStats: (common: Common, options: { readonly format: ListFormat }) => Done
  readonly verify: (common: Common, options: { readonly what: string; readonly format: ListFormat }) => Done
  readonly replay: (common: Common, options: { readonly id: string; readonly format: ListFormat }) => Done
  readonly stats: (common: Common, options: ReportOptions) => Done
  readonly log: (common: Common, options: ReportOptions) => Done
  readonly listRules: (common: Common, options: { readonly format: ListFormat }) => Done
  readonly checkRules: (
    common: Common,
    options: { readonly allow: ReadonlyArray<string>; readonly format: ListFormat }
  ) => Done
  readonly testRules: (common: Common, options: TestOptions) => Done
  readonly explainRules: (common: Common, options: ExplainOptions) => Done
  readonly revokeRule: (common: Common, options: { readonly id: string }) => Done
  readonly showTree: (
    common: Common,
    options: { readonly id: string | null; readonly watch: boolean; readonly format: ListFormat }
  ) => Done
  readonly doctor: (common: Common, options: DoctorOptions) => Done
}

export const make = (name: string, handlers: Handlers) => {
  const root = Command.make(name, { ...Flags.turns, screenReader: Flags.screenReader }).pipe(
    Command.withSharedFlags(Flags.common)
  )
  /** A handler that is given the flags of every command beside its own. */
  const handling =
    <Options>(handler: (common: Common, options: Options) => Done) =>
    (options: Options) =>
      Effect.flatMap(root, (common) => Effect.andThen(handlers.begin(common), handler(common, options)))

  const run = Command.make(
    "run",
    { prompt: Flags.prompt, stdin: Flags.stdin, format: Flags.runFormat, ...Flags.turns },
    handling(handlers.run)
  ).pipe(
    Command.withDescription(
      "Run one prompt and print the answer. Exit codes: 0 done, 1 failed, 2 usage, 3 needs an approval that nobody can give now, 4 budget spent, 130 interrupted"
    ),
    Command.withShortDescription("Run one prompt and print the answer")
  )
  const call = Command.make(
    "call",
    {
      tool: Flags.tool,
      arguments: Flags.toolArguments,
      session: Flags.session,
      kind: Flags.kind,
      approve: Flags.approve,
      allow: Flags.allow
    },
    handling(handlers.call)
  ).pipe(Command.withDescription("Run one tool and print its result envelope, on failure too"))

  const listTools = Command.make("list", { format: Flags.listFormat }, handling(handlers.listTools)).pipe(
    Command.withDescription("Name every tool")
  )
  const showTool = Command.make(
    "show",
    { name: Flags.tool, format: Flags.listFormat },
    handling(handlers.showTool)
  ).pipe(Command.withDescription("Show one tool: its JSON Schema, tier, capabilities, replay"))
  const toolSchemas = Command.make(
    "schema",
    { format: Flags.toolFormat, names: Flags.tools },
    handling(handlers.toolSchemas)
  ).pipe(Command.withDescription("Print what a provider or protocol is told of the tools"))
  const tools = Command.make("tools", { format: Flags.listFormat }, handling(handlers.listTools)).pipe(
    Command.withDescription("The tools that are compiled in"),
    Command.withSubcommands([listTools, showTool, toolSchemas])
  )

  const skills = Command.make("skills", { format: Flags.listFormat }, handling(handlers.listSkills)).pipe(
    Command.withDescription(
      "The skills that are found: folders with a SKILL.md below ~/.config/bough/skills, and below .bough/skills, .agents/skills and .claude/skills of the project"
    ),
    Command.withShortDescription("The skills that are found here"),
    Command.withSubcommands([
      Command.make("list", { format: Flags.listFormat }, handling(handlers.listSkills)).pipe(
        Command.withDescription("Where each comes from, and whether it is used")
      ),
      Command.make("show", { name: Flags.skill, format: Flags.listFormat }, handling(handlers.showSkill)).pipe(
        Command.withDescription("Show one skill: its instructions and its files")
      )
    ])
  )

  const listSessions = { all: Flags.all, format: Flags.listFormat }
  const one = { id: Flags.sessionId }
  const sessions = Command.make("sessions", listSessions, handling(handlers.listSessions)).pipe(
    Command.withDescription("The sessions of this workspace"),
    Command.withSubcommands([
      Command.make("list", listSessions, handling(handlers.listSessions)).pipe(
        Command.withDescription("The newest first")
      ),
      Command.make("show", one, handling(handlers.showSession)).pipe(
        Command.withDescription("What was said and done, entry by entry")
      ),
      Command.make("fork", { ...one, at: Flags.at }, handling(handlers.forkSession)).pipe(
        Command.withDescription("Start a new session from another one's entries, and print its id")
      ),
      Command.make("export", { ...one, to: Flags.to }, handling(handlers.exportSession)).pipe(
        Command.withDescription("Print every entry as one line of JSON, or write what can be verified elsewhere")
      ),
      Command.make("rm", one, handling(handlers.removeSession)).pipe(
        Command.withDescription("Delete a session for good")
      )
    ])
  )
  const listed = { format: Flags.listFormat }
  const asked = { id: Flags.approvalId }
  const approvals = Command.make("approvals", listed, handling(handlers.listApprovals)).pipe(
    Command.withDescription("What waits for your approval, in every conversation of this machine"),
    Command.withSubcommands([
      Command.make("list", listed, handling(handlers.listApprovals)).pipe(Command.withDescription("The oldest first")),
      Command.make("show", { ...asked, ...listed }, handling(handlers.showApproval)).pipe(
        Command.withDescription("Everything that one is bound to, and what became of it")
      ),
      Command.make("approve", { ...asked, always: Flags.always }, handling(handlers.approve)).pipe(
        Command.withDescription("Agree to one, in a terminal, after it has been shown")
      ),
      Command.make("deny", { ...asked, words: Flags.words }, handling(handlers.deny)).pipe(
        Command.withDescription("Refuse one, in a terminal, after it has been shown")
      )
    ])
  )
  const notes = { tags: Flags.noteTags, kinds: Flags.noteKinds, limit: Flags.noteLimit, format: Flags.listFormat }
  const note = { id: Flags.noteId }
  const folder = { folder: Flags.noteFolder }
  const memory = Command.make("memory", {}, handling(handlers.summariseMemory)).pipe(
    Command.withDescription("What is remembered about you"),
    Command.withSubcommands([
      Command.make(
        "search",
        { query: Flags.noteQuery, conversations: Flags.conversations, ...notes },
        handling(handlers.searchMemory)
      ).pipe(Command.withDescription("Find notes by words and by meaning, the best first")),
      Command.make(
        "list",
        { ...notes, project: Flags.ofProject, all: Flags.ofEveryProject },
        handling(handlers.listMemory)
      ).pipe(Command.withDescription("Your notes and those of this project, the last changed first")),
      Command.make(
        "show",
        { ...note, history: Flags.noteHistory, format: Flags.listFormat },
        handling(handlers.showMemory)
      ).pipe(Command.withDescription("One note with all that is known of it")),
      Command.make(
        "save",
        {
          text: Flags.noteText,
          tags: Flags.noteTags,
          kind: Flags.noteKind,
          project: Flags.ofProject,
          supersedes: Flags.noteSupersedes,
          until: Flags.noteUntil
        },
        handling(handlers.saveMemory)
      ).pipe(Command.withDescription("Remember something, and print its id")),
      Command.make("edit", note, handling(handlers.editMemory)).pipe(
        Command.withDescription("Open a note in $VISUAL or $EDITOR, and save what was changed")
      ),
      Command.make("rm", { ...note, history: Flags.noteHistoryAlone }, handling(handlers.removeMemory)).pipe(
        Command.withDescription("Forget a note and its history for good")
      ),
      Command.make("export", folder, handling(handlers.exportMemory)).pipe(
        Command.withDescription("Write every note to a file of its own")
      ),
      Command.make("import", folder, handling(handlers.importMemory)).pipe(
        Command.withDescription("Take in notes from such files; those with an id that is known are changed")
      ),
      Command.make("reindex", {}, handling(handlers.reindexMemory)).pipe(
        Command.withDescription("Build the indexes of meaning and of what was said anew")
      ),
      Command.make("stats", { format: Flags.listFormat }, handling(handlers.memoryStats)).pipe(
        Command.withDescription("How much is remembered")
      ),
      Command.make("model", {}, handling(handlers.showModel)).pipe(
        Command.withDescription("The model that notes are compared by, beside their words"),
        Command.withSubcommands([
          Command.make("install", { model: Flags.embeddingModel }, handling(handlers.installModel)).pipe(
            Command.withDescription("Compare notes by a real model: fetch what it takes, try it, and configure it")
          )
        ])
      )
    ])
  )
  const { project } = Flags
  const config = Command.make(
    "config",
    { project },
    handling((common, options) => handlers.getConfig(common, { ...options, key: null }))
  ).pipe(
    Command.withDescription("The configuration; alone it prints the file"),
    Command.withSubcommands([
      Command.make("get", { key: Flags.optionalKey, project }, handling(handlers.getConfig)).pipe(
        Command.withDescription("Print one value as it is written")
      ),
      Command.make("set", { key: Flags.key, value: Flags.value, project }, handling(handlers.setConfig)).pipe(
        Command.withDescription("Set one value; comments stay, and what would not be valid is not saved")
      ),
      Command.make("unset", { key: Flags.key, project }, handling(handlers.unsetConfig)).pipe(
        Command.withDescription("Take one value away")
      ),
      Command.make("edit", { project }, handling(handlers.editConfig)).pipe(
        Command.withDescription("Open it in $VISUAL or $EDITOR, and save it if it is valid")
      ),
      Command.make("schema", { project }, handling(handlers.configSchema)).pipe(
        Command.withDescription("Print its JSON Schema")
      ),
      Command.make("path", { project }, handling(handlers.configPath)).pipe(
        Command.withDescription("Print where it is")
      )
    ])
  )
  const verify = Command.make(
    "verify",
    { what: Flags.verified, format: Flags.listFormat },
    handling(handlers.verify)
  ).pipe(Command.withDescription("Hold a session or an export to its digests and receipts; name the first mismatch"))
  const replay = Command.make(
    "replay",
    { id: Flags.sessionId, format: Flags.listFormat },
    handling(handlers.replay)
  ).pipe(
    Command.withDescription("Run the calls of a session again that are safe to run twice, and compare what they give")
  )
  const report = { session: Flags.reportedSessionId, all: Flags.all, format: Flags.listFormat }
  const stats = Command.make("stats", report, handling(handlers.stats)).pipe(
    Command.withDescription("What calls came to, per tool and model")
  )
  const log = Command.make("log", report, handling(handlers.log)).pipe(
    Command.withDescription("One line for each call: when, what, how it went, who allowed it, where")
  )
  const policy = Command.make("policy", listed, handling(handlers.listRules)).pipe(
    Command.withDescription("The rules that hold here: from the configuration, and given with an approval"),
    Command.withSubcommands([
      Command.make("list", listed, handling(handlers.listRules)).pipe(
        Command.withDescription("Each with its scope, where it is from and who gave it")
      ),
      Command.make("check", { allow: Flags.allow, format: Flags.listFormat }, handling(handlers.checkRules)).pipe(
        Command.withDescription("Try every rule on its examples. Exits with 2 where one is wrong")
      ),
      Command.make(
        "test",
        {
          tool: Flags.tool,
          arguments: Flags.toolArguments,
          kind: Flags.kind,
          approve: Flags.approve,
          allow: Flags.allow,
          format: Flags.listFormat
        },
        handling(handlers.testRules)
      ).pipe(
        Command.withDescription(
          "Say what would become of a call, without running it: 0 it goes ahead, 3 a person is asked, 1 it is refused"
        )
      ),
      Command.make(
        "explain",
        {
          tool: Flags.tool,
          arguments: Flags.toolArguments,
          kind: Flags.kind,
          channel: Flags.channel,
          labels: Flags.labels,
          approve: Flags.approve,
          allow: Flags.allow,
          format: Flags.listFormat
        },
        handling(handlers.explainRules)
      ).pipe(
        Command.withDescription(
          "Say which rule, label, tier or reach decides a call, and what else bears on it, without running it; exits as test does"
        ),
        Command.withShortDescription("Say what decides a call, and why")
      ),
      Command.make("revoke", { id: Flags.ruleId }, handling(handlers.revokeRule)).pipe(
        Command.withDescription("Take back a rule that was given with an approval")
      )
    ])
  )
  const tree = Command.make(
    "tree",
    { id: Flags.optionalSessionId, watch: Flags.watch, format: Flags.listFormat },
    handling(handlers.showTree)
  ).pipe(
    Command.withDescription("The sessions of one conversation: what each is at, waits for and has spent"),
    Command.withShortDescription("The sessions of one conversation")
  )
  const doctor = Command.make(
    "doctor",
    { format: Flags.listFormat, full: Flags.fullCheck, acceptClock: Flags.acceptClock },
    handling(handlers.doctor)
  ).pipe(Command.withDescription("Check what the program needs, and say how to mend what is missing"))

  return root.pipe(
    Command.withDescription("An agent that works in this directory. Without a command it opens a conversation."),
    Command.withHandler(({ cwd, verbose, ...options }) =>
      Effect.andThen(handlers.begin({ cwd, verbose }), handlers.converse({ cwd, verbose }, options))
    ),
    Command.withSubcommands([
      run,
      call,
      tools,
      skills,
      sessions,
      approvals,
      policy,
      tree,
      memory,
      verify,
      replay,
      stats,
      log,
      config,
      doctor
    ]),
    Command.withExamples([
      { command: `${name} run "what does this project do?"`, description: "One answer, for scripts and people" },
      { command: `${name} run --continue "now write the tests"`, description: "Go on where the last run ended" },
      { command: `${name} run -- "--help means what here?"`, description: "A prompt that looks like a flag" }
    ])
  )
}
