/**
 * The built command-line agent that is measured: one bundle, a separate home directory, and a model on this machine.
 */
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { check } from "./Check.ts"
import type { Program } from "./ProgramRun.ts"
import { environment } from "./Programs.ts"
import { root } from "./PublishedLayout.ts"

const bundle = join(root, "apps/cli/dist/bough.js")

export interface Bough {
  /** The workspace that the agent works in. */
  readonly workspace: string
  readonly database: string
  readonly run: (prompt: string) => Program
  /** The conversation, which needs a terminal. */
  readonly converse: () => Program
}

/** The model, and the environment variables that configure it. */
export interface Access {
  readonly model: string
  readonly variables: Readonly<Record<string, string>>
}

/** A server of chat completions, usually the scripted one. */
export const chatAt = (baseUrl: string): Access => ({
  model: "openai-compatible/scripted",
  variables: { OPENAI_COMPATIBLE_BASE_URL: baseUrl, OPENAI_COMPATIBLE_API_KEY: "none" }
})

/** Creates everything below `folder`, empty. */
export const make = (folder: string, { model, variables }: Access): Bough => {
  check(existsSync(bundle), "apps/cli is not built: run `pnpm --filter @bough/cli build`")
  const [home, data, workspace] = ["home", "data", "workspace"].map((name) => join(folder, name))
  for (const directory of [home, data, workspace]) mkdirSync(directory, { recursive: true })
  const program = (...args: ReadonlyArray<string>): Program => ({
    command: process.execPath,
    arguments: [bundle, ...args, "--model", model],
    folder: workspace,
    environment: environment(home, { BOUGH_HOME: data, ...variables })
  })
  return {
    workspace,
    database: join(data, "bough.db"),
    run: (prompt) => program("run", prompt),
    converse: () => program()
  }
}
