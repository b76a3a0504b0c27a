/** Runs the story with the built program in its own terminal, and records the output with its times. */
import { spawnSync } from "node:child_process"
import { createReadStream, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { binary, type TestFolder, withTestFolder } from "../test/program/Bough.ts"
import { withModel } from "../test/program/ModelServer.ts"
import * as Tmux from "../test/program/Tmux.ts"
import * as Cast from "./Cast.ts"
import * as Story from "./Story.ts"

/** The pauses of the user at the keyboard: `slowly` for a recording, `atOnce` for a test. */
export interface Pace {
  readonly keyMillis: number
  readonly wordMillis: number
  /** Factor of the time that reading takes; 0: none. */
  readonly reading: number
}

export const slowly: Pace = { keyMillis: 45, wordMillis: 35, reading: 1 }
export const atOnce: Pace = { keyMillis: 0, wordMillis: 0, reading: 0 }

const maxMillis = 240_000

export const record = (pace: Pace): Promise<Cast.Cast> =>
  withTestFolder((place) => {
    const model = Story.model(pace.wordMillis)
    return withModel(model.answer, async ({ env }) => {
      const folder = furnish(place, Story.configuration(env["OPENAI_COMPATIBLE_BASE_URL"]))
      // Waits for a line, so that the first output is not missed.
      const command = `stty -echo; read -r go; stty echo; clear; exec ${Tmux.withVariables(variables(place), "sh -i")}`
      const tmux = Tmux.open({ columns: Story.columns, rows: Story.rows, cwd: folder, command })
      let last = ""
      const tooLong = setTimeout(() => {
        last = Tmux.text(tmux)
        tmux.close()
      }, maxMillis)
      try {
        return await taken({ tmux, pace, release: model.release }, join(place.root, "pipe"))
      } catch (error) {
        throw new Error(`on the screen:\n${tmux.isClosed() ? last : Tmux.text(tmux)}`, { cause: error })
      } finally {
        clearTimeout(tooLong)
        tmux.close()
      }
    })
  })

/** The repository, inside a home directory of its own, so that the shown path is `~/slug`. */
const furnish = ({ root }: TestFolder, configuration: string): string => {
  const folder = join(root, Story.folder)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(Story.files)) writeFileSync(join(folder, name), text)
  mkdirSync(join(root, ".config/bough"), { recursive: true })
  writeFileSync(join(root, ".config/bough/config.jsonc"), configuration)
  mkdirSync(join(root, "bin"))
  writeFileSync(
    join(root, "bin/bough"),
    `#!/bin/sh\nexec ${Tmux.quote(process.execPath)} ${Tmux.quote(binary)} "$@"\n`,
    { mode: 0o755 }
  )
  return folder
}

const variables = ({ env, root }: TestFolder): Readonly<Record<string, string>> => ({
  ...env,
  HOME: root,
  PATH: `${join(root, "bin")}:${env["PATH"]}`,
  PS1: "$ ",
  TERM: "screen-256color"
})

interface Stage {
  readonly tmux: Tmux.Tmux
  readonly pace: Pace
  readonly release: () => void
}

const taken = async (stage: Stage, pipe: string): Promise<Cast.Cast> => {
  const { tmux } = stage
  const events: Array<Cast.Event> = []
  if (spawnSync("mkfifo", [pipe]).status !== 0) throw new Error("mkfifo failed")
  const stream = createReadStream(pipe, "utf8")
  const startedAtMillis = performance.now()
  const note = (kind: Cast.Event["kind"], text: string): void => {
    events.push({ seconds: (performance.now() - startedAtMillis) / 1000, kind, text })
  }
  let held = ""
  stream.on("data", (chunk) => {
    const [whole, rest] = Cast.cutAtSequence(held + String(chunk))
    held = rest
    const text = Cast.withoutTalk(whole)
    if (text !== "") note("o", text)
  })
  tmux.run("pipe-pane", `cat > ${Tmux.quote(pipe)}`)
  tmux.run("send-keys", "Enter")
  for (const act of Story.acts) {
    // Everything that the terminal shows is recorded by then.
    if (act._tag === "Marks") await pause(settledMillis)
    if (act._tag === "Marks") note("m", act.name)
    else await perform(stage, act)
  }
  tmux.close()
  await finished(stream)
  return { columns: Story.columns, rows: Story.rows, title: Story.title, events }
}

const settledMillis = 200

const perform = async ({ pace, release, tmux }: Stage, act: Exclude<Story.Act, Story.Marks>): Promise<void> => {
  switch (act._tag) {
    case "Types":
      for (const [index, key] of Array.from(act.text).entries()) {
        tmux.run("send-keys", "-l", key)
        await pause(pace.keyMillis * (0.6 + ((index * 7) % 10) / 10))
      }
      return
    case "Presses":
      return void tmux.run("send-keys", act.key)
    case "Reads":
      await Tmux.shows(tmux, act.text)
      return pause(pace.reading * act.millis)
    case "Releases":
      return release()
  }
}

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))
