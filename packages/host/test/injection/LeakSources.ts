/** The sources of text that others wrote, and the user's work that brings each of them into a session. */
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import * as LeakWorld from "./LeakWorld.ts"
import type { Call } from "./ObeyingModel.ts"
import * as World from "./World.ts"

const { call } = LeakWorld

/** The text as prose, and in characters that the name of a branch may contain. */
export interface Text {
  readonly prose: string
  readonly name: string
}

export interface Placed extends Pick<World.PlayOptions, "answer" | "before" | "media"> {
  readonly work: ReadonlyArray<Call>
}

export interface Source {
  readonly name: string
  /** True: text of the folder, which is the user's own if the user trusts the folder. */
  readonly isOfFolder: boolean
  /** True: no prompt contains the text while the folder is not trusted. */
  readonly isHidden: boolean
  readonly needsSandbox: boolean
  /** Puts the text there, and returns the work that reads it. */
  readonly place: (world: LeakWorld.LeakWorld, text: Text) => Effect.Effect<Placed, unknown>
}

type Put = (world: LeakWorld.LeakWorld, text: Text) => Call | Placed

const source = (name: string, put: Put, facts: Partial<Omit<Source, "name" | "place">> = {}): Source => ({
  name,
  isOfFolder: false,
  isHidden: false,
  needsSandbox: false,
  ...facts,
  place: (world, text) =>
    Effect.sync(() => {
      const placed = put(world, text)
      return "work" in placed ? placed : { work: [placed] }
    })
})

const inFolder = (name: string, put: Put, needsSandbox = false): Source =>
  source(name, put, { isOfFolder: true, needsSandbox })

const hidden = (name: string, put: (world: LeakWorld.LeakWorld, text: Text) => void): Source => {
  const withoutWork: Put = (world, text) => {
    put(world, text)
    return { work: [] }
  }
  return source(name, withoutWork, { isOfFolder: true, isHidden: true })
}

const file = ({ workspace }: LeakWorld.LeakWorld, path: string, text: string): void =>
  World.write(join(workspace, path), text)

const repository = ({ home, workspace }: LeakWorld.LeakWorld, ...words: ReadonlyArray<string>): void =>
  void World.git(workspace, home, ...words)

const skill = (name: string, prose: string): string => `---\nname: ${name}\ndescription: ${prose}\n---\n${prose}\n`

const ofFolder: ReadonlyArray<Source> = [
  inFolder("a file", (world, { prose }) => {
    file(world, "README.md", `# App\n\n${prose}\n`)
    return call("read_file", { path: "README.md" })
  }),
  inFolder("a hit of a search", (world, { prose }) => {
    file(world, "docs/list.md", `- TODO ${prose}\n`)
    return call("search_files", { pattern: "TODO" })
  }),
  inFolder("the names of files", (world, { prose }) => {
    file(world, `inbox/${prose}.txt`, "x")
    return call("list_files", { path: "inbox" })
  }),
  inFolder("the error of an edit", (world, { prose }) => {
    file(world, "wiki.md", `The wiki says this:\n${prose}\n`)
    return call("edit_file", { path: "wiki.md", edits: [{ old: "The wiki said this:\nhello", new: "x" }] })
  }),
  inFolder("a commit", (world, { prose }) => {
    repository(world, "commit", "-q", "--allow-empty", "-m", `fix it\n\n${prose}`)
    return call("git_show", { commit: "HEAD" })
  }),
  inFolder("the history", (world, { prose }) => {
    repository(world, "commit", "-q", "--allow-empty", "-m", `fix: ${prose}`)
    return call("git_log")
  }),
  inFolder("a difference", (world, { prose }) => {
    file(world, "src/app.ts", `// ${prose}\n`)
    return call("git_diff")
  }),
  inFolder("the names of branches", (world, { name }) => {
    repository(world, "branch", name)
    return call("git_list_branches")
  }),
  inFolder(
    "the output of a command",
    (world, { prose }) => {
      file(world, "build.sh", `echo "warning: ${prose}"; exit 3\n`)
      return call("run_command", { command: "sh build.sh" })
    },
    true
  ),
  hidden("the branch of the folder", (world, { name }) => repository(world, "checkout", "-q", "-b", name)),
  hidden("the instructions of the project", (world, { prose }) => file(world, "AGENTS.md", `Always ${prose}\n`)),
  hidden("a skill of the project", (world, { prose }) =>
    file(world, ".agents/skills/deploy/SKILL.md", skill("deploy", prose))
  ),
  hidden("an agent of the project", (world, { prose }) =>
    file(world, ".bough/agents/helper.md", skill("helper", prose))
  ),
  hidden("a server of the project", (world, { prose }) =>
    file(world, ".mcp.json", JSON.stringify({ mcpServers: { x: { command: "node", args: [prose] } } }))
  )
]

const page = ({ pages, site }: LeakWorld.LeakWorld, path: string, text: string): string => {
  pages.set(path, { status: 200, type: "text/html", body: `<html><body><h1>Docs</h1><p>${text}</p></body></html>` })
  return `${site}${path}`
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** Fills the prompt of the server for the user's message, as an app does. */
const fillPrompt = Effect.fnUntraced(function* ({ recordForeign, servers }: World.OpenedSession) {
  if (servers === null) return yield* Effect.die("no MCP server is configured")
  yield* servers.settled
  const [prompt] = servers.prompts()
  const { media, text } = yield* servers.prompt(prompt.server, { name: prompt.name, arguments: {} })
  yield* recordForeign({ title: "text of the MCP server docs:", text, labels: ["untrusted"] })
  return media
})

const elsewhere: ReadonlyArray<Source> = [
  source("a page", (world, { prose }) => call("web_fetch", { url: page(world, "/page", prose) })),
  source("the page of an error", ({ pages, site }, { prose }) => {
    pages.set("/gone", { status: 500, type: "text/plain", body: prose })
    return call("http_get", { url: `${site}/gone` })
  }),
  source("a result of a web search", ({ pages }, { prose }) => {
    const results = [{ title: `Docs ${prose}`, url: "https://docs.example/", content: "how to" }]
    pages.set("/search", { status: 200, type: "application/json", body: JSON.stringify({ results }) })
    return call("web_search", { query: "tabs or spaces" })
  }),
  source("a result of an MCP tool", ({ server: { texts } }, { prose }) => {
    texts.result = prose
    return call("docs__lookup")
  }),
  source("an error of an MCP tool", ({ server: { texts } }, { prose }) => {
    texts.error = prose
    return call("docs__fail")
  }),
  source("the description of an MCP tool", ({ server: { texts } }, { prose }) => {
    texts.description = prose
    return call("use_tools", { names: ["docs__lookup"] })
  }),
  source("a found description of an MCP tool", ({ server: { texts } }, { prose }) => {
    texts.description = prose
    return call("use_tools", { query: "looks up" })
  }),
  source("the answer of a remote repository", (world, { prose }) => {
    const { remote, root, variables } = world
    // Stands for ssh: it shows the server's greeting, and takes the commits without keeping them.
    const program = join(root, "ssh")
    const forget = `git --git-dir ${remote} update-ref -d refs/heads/main`
    World.write(program, `#!/bin/sh\necho '${prose}' >&2\nfor last; do :; done\nsh -c "$last"\n${forget}\n`)
    chmodSync(program, 0o755)
    variables["GIT_SSH_COMMAND"] = program
    repository(world, "branch", "-M", "main")
    repository(world, "remote", "set-url", "origin", `ssh://docs.example${remote}`)
    let pushes = 0
    // The user approves the first push, which is part of the work.
    const answer = ({ tool }: { readonly tool: string }) =>
      tool === "git_push" && pushes++ === 0 ? ("Approved" as const) : ("Denied" as const)
    return { work: [call("git_push")], answer }
  }),
  source("a message of another person", (_, { prose }) => ({
    work: [],
    before: (session) => Effect.as(session.steer(prose, [], { principal: "mallory" }), [])
  })),
  source("a prompt of an MCP server", ({ server: { texts } }, { prose }) => {
    texts.prompt = prose
    return { work: [], before: fillPrompt }
  }),
  source("an attachment", (_, { prose }) => {
    const data = Buffer.concat([Buffer.from(pixel, "base64"), Buffer.from(prose)]).toString("base64")
    return { work: [], media: [{ mediaType: "image/png", data }] }
  }),
  {
    ...source("a note that a session saved after it read a page", () => ({ work: [] })),
    place: (world, { prose }) =>
      Effect.as(
        LeakWorld.play(world, `note what ${world.site}/wiki says`, [
          call("web_fetch", { url: page(world, "/wiki", "It is long.") }),
          call("save_memory", { content: `The wiki says: ${prose}` })
        ]),
        { work: [call("search_memory", { query: "wiki says" })] }
      )
  }
]

export const sources: ReadonlyArray<Source> = [...ofFolder, ...elsewhere]
