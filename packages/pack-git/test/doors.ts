/** Settings through which a hostile repository, or the other side of a push, would make git run a program. */
import type * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { git, type open, put } from "./Harness.ts"

export type OpenedDoor = Effect.Success<ReturnType<typeof open>>

/** Settings of a repository that make git run a program; `run` is a command that leaves a mark. */
export const localDoors: Readonly<Record<string, (opened: OpenedDoor, run: string) => void>> = {
  fsmonitor: ({ git: person }, run) => person("config", "core.fsmonitor", run),
  pager: ({ git: person }, run) => {
    person("config", "core.pager", run)
    person("config", "pager.log", run)
  },
  "external diff": ({ git: person }, run) => person("config", "diff.external", run),
  textconv: ({ git: person, root }, run) => {
    put(root, { ".gitattributes": "*.dat diff=evil\n*.txt diff=evil\n" })
    person("config", "diff.evil.textconv", run)
    person("config", "diff.evil.command", run)
  },
  filter: ({ git: person, root }, run) => {
    put(root, { ".gitattributes": "*.dat filter=evil\n*.txt filter=evil\n" })
    for (const kind of ["clean", "smudge", "process"]) person("config", `filter.evil.${kind}`, run)
    person("config", "filter.evil.required", "true")
  },
  "filter with a dotted name": ({ at, git: person }, run) => {
    fs.writeFileSync(at(".git/info/attributes"), "* filter=e.v.i.l\n")
    for (const kind of ["clean", "smudge", "process"]) person("config", `filter.e.v.i.l.${kind}`, run)
  },
  "filter whose name is not UTF-8": ({ at }, run) => {
    const name = Buffer.from([0xff])
    fs.writeFileSync(at(".git/info/attributes"), Buffer.concat([Buffer.from("* filter="), name, Buffer.from("\n")]))
    const section = [Buffer.from('[filter "'), name, Buffer.from(`"]\n\tclean = ${run}\n\tsmudge = ${run}\n`)]
    fs.appendFileSync(at(".git/config"), Buffer.concat(section))
  },
  "filter of a submodule": ({ at, git: person, root }, run) => {
    fs.mkdirSync(at("sub"))
    const inner = (...args: ReadonlyArray<string>) => git(at("sub"), ...args)
    inner("init", "-q")
    put(root, { "sub/x.txt": "1\n" })
    inner("add", "x.txt")
    inner("commit", "-q", "-m", "inner")
    // Each would make git look into the submodule, although its own setting says otherwise.
    put(root, { ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n' })
    person("config", "submodule.sub.ignore", "none")
    person("add", ".gitmodules", "sub")
    person("commit", "-q", "-m", "with a submodule")
    fs.writeFileSync(at("sub/.git/info/attributes"), "* filter=evil\n")
    inner("config", "filter.evil.clean", run)
    put(root, { "sub/x.txt": "2\n" })
  },
  "included file": ({ at, git: person, root }, run) => {
    put(root, { ".gitattributes": "* filter=evil\n", more: `[filter "evil"]\n\tclean = ${run}\n\tsmudge = ${run}\n` })
    person("config", "include.path", at("more"))
  },
  "configuration of the worktree": ({ git: person }, run) => {
    person("config", "extensions.worktreeConfig", "true")
    person("config", "--worktree", "core.fsmonitor", run)
  },
  hooks: ({ at, base, git: person }, run) => {
    const names = [
      "pre-commit",
      "commit-msg",
      "post-commit",
      "post-checkout",
      "pre-push",
      "post-index-change",
      "prepare-commit-msg",
      "reference-transaction",
      "post-rewrite",
      "pre-receive",
      "update",
      "post-receive",
      "push-to-checkout"
    ]
    for (const folder of [at(".git/hooks"), path.join(base, "remote.git/hooks"), at("hooks")]) {
      fs.mkdirSync(folder, { recursive: true })
      for (const name of names) fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${run}\n`, { mode: 0o755 })
    }
    person("config", "core.hooksPath", "hooks")
  },
  signing: ({ git: person }, run) => {
    for (const key of ["commit.gpgSign", "tag.gpgSign", "push.gpgSign"]) person("config", key, "true")
    for (const key of ["gpg.program", "gpg.ssh.program", "gpg.x509.program"]) person("config", key, run)
    person("config", "log.showSignature", "true")
  },
  editor: ({ git: person }, run) => {
    person("config", "core.editor", run)
    person("config", "sequence.editor", run)
  },
  "merge driver": ({ git: person, root }, run) => {
    put(root, { ".gitattributes": "* merge=evil\n" })
    person("config", "merge.evil.driver", run)
  },
  "merge driver whose name is not UTF-8": ({ at }, run) => {
    const name = Buffer.from([0xff])
    fs.writeFileSync(at(".git/info/attributes"), Buffer.concat([Buffer.from("* merge="), name, Buffer.from("\n")]))
    const section = [Buffer.from('[merge "'), name, Buffer.from(`"]\n\tdriver = ${run}\n`)]
    fs.appendFileSync(at(".git/config"), Buffer.concat(section))
  },
  aliases: ({ git: person }, run) => {
    for (const name of ["status", "commit", "push", "log"]) person("config", `alias.${name}`, `!${run}`)
  }
}

/** Settings that make git run a program only at a push. */
export const remoteDoors: typeof localDoors = {
  "ssh command": ({ git: person }, run) => {
    person("config", "core.sshCommand", run)
    person("config", "remote.origin.url", "ssh://127.0.0.1:1/x")
  },
  "programs of the remote": ({ git: person }, run) => {
    for (const key of ["receivepack", "uploadpack", "vcs"]) person("config", `remote.origin.${key}`, run)
  },
  "another address": ({ base, git: person }, run) => {
    person("config", `url.ext::sh -c "${run}".insteadOf`, path.join(base, "remote.git"))
    person("config", `url.ext::sh -c "${run}".pushInsteadOf`, path.join(base, "remote.git"))
    person("config", "protocol.ext.allow", "always")
  },
  "an address that is a command": ({ git: person }, run) => {
    person("config", "remote.origin.url", `ext::sh -c "${run}"`)
    person("config", "protocol.ext.allow", "always")
  },
  "an address that is an option": ({ git: person }, run) =>
    person("config", "remote.origin.url", `--receive-pack=${run}`),
  "credential helper": ({ git: person }, run) => {
    person("config", "credential.helper", `!${run}`)
    person("config", "core.askPass", run)
    person("config", "remote.origin.url", "https://127.0.0.1:1/x")
  },
  "configuration of the other side": ({ base }, run) => {
    const remote = path.join(base, "remote.git")
    git(remote, "config", "core.alternateRefsCommand", run)
    git(remote, "config", "core.fsmonitor", run)
    git(remote, "config", "receive.procReceiveRefs", "refs")
    git(remote, "config", "uploadpack.packObjectsHook", run)
  },
  "missing objects": ({ git: person }, run) => {
    person("config", "remote.evil.url", `ext::sh -c "${run}"`)
    person("config", "remote.evil.promisor", "true")
    person("config", "protocol.ext.allow", "always")
    person("config", "extensions.partialClone", "evil")
  }
}
