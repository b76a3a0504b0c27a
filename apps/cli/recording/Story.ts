/**
 * The recorded story as data: a small repository, the user's input, the model's replies, and the texts that must be on
 * the screen at the marks. The program is the real one; only the model is scripted.
 */
import type { Answer, Request } from "../test/program/ModelServer.ts"

export type Act =
  /** Typed key by key. */
  | { readonly _tag: "Types"; readonly text: string }
  /** A single key, by its name in tmux. */
  | { readonly _tag: "Presses"; readonly key: string }
  /** Waits until the text is on screen, then as long as reading it takes. */
  | { readonly _tag: "Reads"; readonly text: RegExp; readonly millis: number }
  /** Allows the Worker to report its result. */
  | { readonly _tag: "Releases" }
  /** A named mark in the recording. */
  | Marks

export interface Marks {
  readonly _tag: "Marks"
  readonly name: Mark
}

export const marks = ["question", "result", "tree"] as const
export type Mark = (typeof marks)[number]

/** The texts that the output up to a mark must contain, without blank lines. */
export const claims: Readonly<Record<Mark, RegExp>> = {
  question:
    /Plan 0\/4[\s\S]*Started a worker[\s\S]*Allow edit_file\?[\s\S]*│ -printf .*\n│ \+printf .*\n[\s\S]*└ y allow .*\n›\n.*1 agent running/u,
  result:
    /└ allowed once\n✓ Edited slug\.sh[\s\S]*sh test\.sh · exit 0[\s\S]*(?: {2}│ ok .*\n){4}[\s\S]*✓ worker “[^”]*”\s+completed[\s\S]*Plan 4\/4[\s\S]*\nThe test passes: 4 of 4/u,
  tree: /› \/cost\ntokens in .*\ntokens out .*\ncost {2,}\$0\.\d+\n[\s\S]*\$ bough tree\nmain “.*”\n│ {2}ses_\w+ · idle.*\n(?:│ {2}.*\n)*└─ worker “.*”\n {3}ses_\w+ · completed/u
}

export const columns = 88
export const rows = 34

export const title = "Bough mends a script"
export const folder = "slug"

export const files: Readonly<Record<string, string>> = {
  "slug.sh": `# Prints a title as a part of an address.
printf '%s\\n' "$1" | tr 'A-Z ' 'a-z-'
`,
  "feed.sh": `while read -r title; do
  echo "<link>/posts/$(sh slug.sh "$title")</link>"
done
`,
  "publish.sh": `mkdir -p "site/$(sh slug.sh "$1")"
`,
  "test.sh": `failed=0
check() {
  got=$(sh slug.sh "$1")
  if [ "$got" = "$2" ]; then echo "ok      $1 → $got"; else echo "FAILED  $1 → $got"; failed=1; fi
}
check "Hello" "hello"
check "Hello World" "hello-world"
check "C'est la vie" "c-est-la-vie"
check "What's new?" "what-s-new"
exit $failed
`
}

/** The configuration: every edit asks, and the model has prices. */
export const configuration = (baseUrl: string): string =>
  JSON.stringify({
    model: "openai-compatible/demo",
    providers: { "openai-compatible": { baseUrl } },
    prices: { "openai-compatible/demo": { inputPerMillionUsd: 3, outputPerMillionUsd: 15 } },
    rules: { ask: ["edit_file"] },
    // Otherwise reflections would start at any pause.
    memory: { reflect: false }
  })

const types = (text: string): Act => ({ _tag: "Types", text })
const enter: Act = { _tag: "Presses", key: "Enter" }
const reads = (text: RegExp, millis: number): Act => ({ _tag: "Reads", text, millis })
const marked = (name: Mark): Act => ({ _tag: "Marks", name })

/** The empty prompt while nothing runs. */
const ready = / out · \$\S+\n›\n.* slug.*$/u

export const acts: ReadonlyArray<Act> = [
  reads(/\$$/u, 800),
  types("bough"),
  enter,
  reads(/›\n.* slug.*$/u, 1000),
  types("test.sh fails. Fix slug.sh, and have a worker check who calls it."),
  enter,
  reads(/└ y allow .* details/u, 5000),
  marked("question"),
  { _tag: "Presses", key: "y" },
  reads(/→ wait_for_sessions/u, 1500),
  { _tag: "Releases" },
  reads(ready, 5000),
  marked("result"),
  types("/cost"),
  enter,
  reads(/cost {2,}\$[\s\S]*›\n/u, 2500),
  { _tag: "Presses", key: "C-d" },
  reads(/\$$/u, 500),
  types("bough tree"),
  enter,
  reads(/worker “.*[\s\S]*\$$/u, 3000),
  marked("tree")
]

const task = "Find every caller of slug.sh and say how it uses what slug.sh prints."

const plan = (done: number) => {
  const items = ["read slug.sh and its test", "change slug.sh", "run the test", "hear who calls it"]
  const status = (index: number) => (index < done ? "done" : index === done ? "active" : "pending")
  return { name: "update_plan", arguments: { items: items.map((text, index) => ({ text, status: status(index) })) } }
}

const mainAnswers: ReadonlyArray<Answer> = [
  {
    text: "I read the script while a worker looks for its callers.",
    calls: [plan(0), { name: "spawn_worker", arguments: { task } }]
  },
  { text: "", calls: [{ name: "read_file", arguments: { path: "slug.sh" } }] },
  { text: "", calls: [{ name: "read_file", arguments: { path: "test.sh" } }] },
  {
    text: "`tr` turns spaces into dashes and leaves `'` and `?` alone. What is no letter or digit should become one dash, and none at the end:",
    calls: [
      plan(1),
      {
        name: "edit_file",
        arguments: {
          path: "slug.sh",
          edits: [
            {
              old: `tr 'A-Z ' 'a-z-'`,
              new: `tr 'A-Z' 'a-z' | tr -cs 'a-z0-9\\n' '-' | sed 's/-$//'`
            }
          ]
        }
      }
    ]
  },
  { text: "", calls: [{ name: "run_command", arguments: { argv: ["sh", "test.sh"] } }] },
  { text: "", calls: [plan(3), { name: "wait_for_sessions", arguments: {} }] },
  { text: "", calls: [plan(4)] },
  {
    text: "The test passes: **4 of 4**. Two scripts call `slug.sh`:\n\n- `feed.sh` puts the slug into a link\n- `publish.sh` makes the directory `site/SLUG`, so posts published before keep their old names"
  }
]

const workerAnswers: ReadonlyArray<Answer> = [
  { text: "", calls: [{ name: "search_files", arguments: { pattern: "slug\\.sh" } }] },
  { text: "feed.sh links to /posts/SLUG, publish.sh makes the directory site/SLUG. Nothing else calls it." }
]

export interface Model {
  readonly answer: (request: Request) => Answer
  /** Ends the Worker. Before the Main waits for it, the screen would differ between recordings. */
  readonly release: () => void
}

export const model = (wordMillis: number): Model => {
  const { promise: after, resolve: release } = Promise.withResolvers<void>()
  const answer = ({ messages }: Request): Answer => {
    const isWorker = messages.some(({ content, role }) => role === "user" && JSON.stringify(content).includes(task))
    const step = messages.filter(({ role }) => role === "assistant").length
    const said = (isWorker ? workerAnswers : mainAnswers)[step]
    if (said === undefined || !("text" in said)) return { status: 500, message: `no answer ${step} in the story` }
    const pacing = isWorker ? { after } : { wordMillis }
    const usage = { inputTokens: 1900 + 160 * step, outputTokens: 45 + 12 * step }
    return { ...said, ...pacing, usage }
  }
  return { answer, release }
}
