/** The flags that several commands share, as effect/cli reads them. Null: not given. */
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { Effort } from "@bough/models"
import { Note } from "@bough/protocol"
import type { ToolFormatName } from "./Options.ts"

const orNull = <A>(flag: Flag.Flag<A>): Flag.Flag<A | null> => Flag.optional(flag).pipe(Flag.map(Option.getOrNull))

const text = (name: string, metavar: string, description: string): Flag.Flag<string | null> =>
  orNull(Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description)))

const switched = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

export const fullCheck = switched("full", "Read all of the database, however large it is")
export const acceptClock = switched(
  "accept-clock",
  "Confirm that the system clock is right; approvals past their deadline expire"
)

export const labels = Flag.Literals("label", ["private", "untrusted"]).pipe(
  Flag.withDescription("What the session has read before: private data, untrusted text; may be repeated"),
  Flag.atLeast(0)
)
export const channel = text("channel", "NAME", "The channel of the session; default: terminal")

/** Of every command, before or after its name. */
export const common = {
  cwd: text("cwd", "DIR", "The workspace; default: the directory in which the command was typed"),
  verbose: switched("verbose", "Say everything about errors and about what goes on")
}

export const session = text("session", "ID", "Go on with this session; with --continue too").pipe(Flag.withAlias("s"))

export const approve = orNull(
  Flag.Literals("approve", ["ask", "deny", "allow"]).pipe(
    Flag.withDescription("What answers a call that asks; allow answers System calls, Elevated ones still need a person")
  )
)

export const allow = Flag.String("allow").pipe(
  Flag.withMetavar("RULE"),
  Flag.withDescription(`A call that needs no question, such as 'run_command argv=["npm","test"]'; may be repeated`),
  Flag.atLeast(0)
)

const trust = switched(
  "trust",
  "Use the AGENTS.md and .bough/config.jsonc of this folder, and remember them as they are now"
)

/** Of the commands that run turns. */
export const turns = {
  model: text("model", "PROVIDER/MODEL", "The model, such as openai-compatible/llama3.2 or offline/planner").pipe(
    Flag.withAlias("m")
  ),
  effort: orNull(
    Flag.Literals("effort", Effort.levels).pipe(
      Flag.withDescription("How hard the model is to think before it answers; default: as its provider has it")
    )
  ),
  continue: switched("continue", "Go on with the newest session of this workspace").pipe(Flag.withAlias("c")),
  session,
  approve,
  allow,
  maxSteps: orNull(
    Flag.Int("max-steps").pipe(Flag.withMetavar("N"), Flag.withDescription("Model calls in one turn, at least 1"))
  ),
  maxCostUsd: orNull(
    Flag.Finite("max-cost").pipe(
      Flag.withMetavar("USD"),
      Flag.withDescription("What the session may cost; needs a model whose price is known")
    )
  ),
  trust,
  reflect: orNull(
    Flag.Boolean("reflect").pipe(
      Flag.withDescription(
        "Look back afterwards and remember what will help later; a conversation at a terminal does without this, unless --no-reflect is given"
      )
    )
  )
}

export const screenReader = switched(
  "screen-reader",
  "Converse in plain lines that are written once, for screen readers; terminal.plain in the configuration does the same"
)

export const runFormat = Flag.Literals("format", ["text", "json", "stream-json"]).pipe(
  Flag.withDescription(
    "text: the answer; json: one object { sessionId, status, text, usage }; stream-json: one event a line"
  ),
  Flag.withDefault("text" as const)
)

export const listFormat = Flag.Literals("format", ["text", "json"]).pipe(
  Flag.withDescription("How it is printed"),
  Flag.withDefault("text" as const)
)

export const kind = Flag.ChoiceWithValue("kind", [
  ["main", "Main"],
  ["branch", "Branch"],
  ["worker", "Worker"]
] as const).pipe(
  Flag.withDescription("The kind of session whose tools and reach it has"),
  Flag.withDefault("Main" as const)
)

export const all = switched("all", "Those of every workspace")

export const at = orNull(
  Flag.Int("at").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("The last entry to take over, as `sessions show` numbers them; default: the newest")
  )
)

export const sessionId = Argument.String("ID").pipe(
  Argument.withDescription("A session as `sessions list` names it, or the beginning of its id")
)

export const approvalId = Argument.String("ID").pipe(
  Argument.withDescription("An approval as `approvals list` names it, or the beginning of its id")
)

export const ruleId = Argument.String("ID").pipe(
  Argument.withDescription("A rule as `policy list` names it, or the beginning of its id")
)

export const always = orNull(
  Flag.Literals("always", ["session", "project", "user"]).pipe(
    Flag.withDescription(
      "Also give the rule that is shown: for the session and those beside it, for its folder, or for all folders"
    )
  )
)

export const optionalSessionId = sessionId.pipe(Argument.optional, Argument.map(Option.getOrNull))

export const watch = switched("watch", "Show it anew whenever it changes, until Ctrl-C")

export const words = text("words", "TEXT", "Why not: the agent reads it")

export const to = text(
  "to",
  "DIR",
  "Write JOURNAL.jsonl, REPLAY.jsonl, RECEIPT.json and whole outputs there, which verify reads"
)

export const reportedSessionId = Argument.String("ID").pipe(
  Argument.withDescription("Only this session and all below it; default: those of this workspace"),
  Argument.optional,
  Argument.map(Option.getOrNull)
)

export const verified = Argument.String("DIR|SESSION").pipe(
  Argument.withDescription("A directory that `sessions export --to` wrote, or a session as `sessions list` names it")
)

export const prompt = Argument.String("PROMPT").pipe(
  Argument.withDescription("What to do; - or nothing reads it from stdin"),
  Argument.optional,
  Argument.map(Option.getOrNull)
)

export const stdin = switched(
  "stdin",
  "Read stdin too, which follows the prompt: git diff | bough run --stdin 'review it'"
)

export const tool = Argument.String("TOOL").pipe(Argument.withDescription("A tool, as `tools list` names it"))

export const tools = Argument.String("NAME").pipe(
  Argument.withDescription("Tools, as `tools list` names them; default: all"),
  Argument.variadic()
)

export const toolFormat = Flag.Literals("for", [
  "openai",
  "openai-chat",
  "anthropic",
  "gemini",
  "mcp",
  "harmony"
] satisfies ReadonlyArray<ToolFormatName>).pipe(
  Flag.withDescription("Who is told of them; openai is its Responses, openai-chat its chat completions")
)

export const toolArguments = Argument.String("JSON").pipe(
  Argument.withDescription("Its arguments as a JSON object; - reads them from stdin")
)

export const noteTags = Flag.String("tag").pipe(
  Flag.withMetavar("TAG"),
  Flag.withDescription("A tag that a note must have, or is given; may be repeated"),
  Flag.atLeast(0)
)

export const noteLimit = orNull(
  Flag.Int("limit").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("How many at most; default: the best 10 where notes are searched, all where they are listed")
  )
)

export const conversations = Flag.Boolean("conversations").pipe(
  Flag.withDescription("Also search what was said in conversations, as it was said"),
  Flag.withDefault(false)
)

export const noteKind = Flag.Literals("kind", Note.Kind.literals).pipe(
  Flag.withDescription("What kind of note it is"),
  Flag.withDefault("fact" as const)
)

export const noteKinds = Flag.Literals("kind", Note.Kind.literals).pipe(
  Flag.withDescription("A kind that a note may be of; may be repeated; conversations are searched only when asked for"),
  Flag.atLeast(0)
)

export const noteQuery = Argument.String("QUERY").pipe(Argument.withDescription("What to look for"))

export const noteText = Argument.String("TEXT").pipe(Argument.withDescription("The note; - reads it from stdin"))

export const embeddingModel = Argument.String("MODEL").pipe(
  Argument.withDescription("A folder with a model, or a name of the hub; default Xenova/all-MiniLM-L6-v2"),
  Argument.optional,
  Argument.map(Option.getOrNull)
)

export const skill = Argument.String("NAME").pipe(Argument.withDescription("A skill as `skills list` names it"))

export const noteId = Argument.String("ID").pipe(
  Argument.withDescription("A note as `memory list` names it, or the beginning of its id")
)

export const noteHistory = switched("history", "Also what it said before, and what it superseded")

export const noteHistoryAlone = switched("history", "Only what it said before; the note stays")

export const ofProject = switched("project", "Of this project, seen nowhere else")

export const ofEveryProject = switched("all", "Include the notes of every project")

export const noteSupersedes = Flag.String("supersedes").pipe(
  Flag.withMetavar("ID"),
  Flag.withDescription("A note that is no longer so because of it, or the beginning of its id; may be repeated"),
  Flag.atLeast(0)
)

export const noteUntil = orNull(
  Flag.String("until").pipe(Flag.withMetavar("DATE"), Flag.withDescription("Its last day, such as 2026-09-01"))
)

export const noteFolder = Argument.String("DIR").pipe(
  Argument.withDescription("A folder of Markdown files, one a note, with front matter")
)

export const project = switched("project", "The file of this project, .bough/config.jsonc, instead of your own")

export const key = Argument.String("KEY").pipe(
  Argument.withDescription('A key such as limits.maxSteps; a part with dots goes in quotes: prices."a/b-1.5"')
)

export const optionalKey = key.pipe(Argument.optional, Argument.map(Option.getOrNull))

export const value = Argument.String("VALUE").pipe(
  Argument.withDescription("Text, or JSON where the key takes it; - reads it from stdin")
)

/** Names of the flags that take a value: what follows one of them is that value. */
export const withValue: ReadonlySet<string> = new Set([
  "-m",
  "-s",
  ...[
    "cwd",
    "session",
    "approve",
    "allow",
    "model",
    "effort",
    "max-steps",
    "max-cost",
    "format",
    "for",
    "kind",
    "at",
    "words",
    "always",
    "tag",
    "supersedes",
    "until",
    "limit",
    "to"
  ].map((name) => `--${name}`)
])
