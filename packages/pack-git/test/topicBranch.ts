/** A real branch with one commit more than the `main` of its real remote, which stands for the repository at a host. */
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { git, open, put } from "./Harness.ts"

export interface Remote {
  /** The address of the remote; git finds its repository below `base` instead. */
  readonly url: string
  /** The end of the address, from the owner on. */
  readonly folder: string
  /** The user's variables; `bin` is an empty directory before the system's search path. */
  readonly variables: (base: string) => Readonly<Record<string, string>>
}

/** Makes the branch `topic`, checked out; git's tracking branch is current. */
export const topicBranch = ({ folder, url, variables }: Remote) =>
  Effect.gen(function* () {
    const opened = yield* open({
      variables: (base) => ({
        HOME: path.join(base, "home"),
        PATH: `${path.join(base, "bin")}:${process.env["PATH"] ?? ""}`,
        ...variables(base)
      })
    })
    const { base, git: run, home, root } = opened
    for (const made of ["bin", "hosts"]) fs.mkdirSync(path.join(base, made))
    const remote = path.join(base, "hosts", folder)
    git(base, "init", "-q", "--bare", "-b", "main", remote)
    const prefix = url.slice(0, url.length - folder.length)
    fs.appendFileSync(path.join(home, ".gitconfig"), `[url "file://${base}/hosts/"]\n\tinsteadOf = ${prefix}\n`)
    run("remote", "add", "origin", url)
    run("push", "-q", `file://${remote}`, "main")
    run("update-ref", "refs/remotes/origin/main", "main")
    run("switch", "-q", "-c", "topic")
    put(root, { "a.txt": "one\n2\nthree\n", "b.txt": "new\n" })
    run("add", "-A")
    run("commit", "-q", "-m", "Count in digits")
    return { ...opened, remote, head: () => run("rev-parse", "topic") }
  })
