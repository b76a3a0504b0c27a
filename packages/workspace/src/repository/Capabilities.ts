/** The repository as the capabilities of one call. Each use opens it again: its settings may have changed. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryPush, RepositoryRead, RepositoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import * as Branches from "./Branches.ts"
import * as Commits from "./Commits.ts"
import * as Diff from "./Diff.ts"
import * as History from "./History.ts"
import * as Identity from "./Identity.ts"
import * as Push from "./Push.ts"
import * as Repository from "./Repository.ts"
import * as Status from "./Status.ts"

export interface RepositoryPlace extends Repository.Opening {
  readonly variables: Identity.PersonsVariables
}

interface Seen extends RepositoryPlace {
  readonly view: View
}

const using = <A>(place: RepositoryPlace, use: (git: Repository.Git) => Effect.Effect<A, ToolError.ToolError>) =>
  Effect.flatMap(Repository.open(place), use)

export const reads = (place: Seen): Omit<RepositoryRead.RepositoryRead["Service"], "unsaved"> => {
  const { view } = place
  return {
    status: (limit) => using(place, (git) => Status.read(git, view, limit)),
    diff: (options) => using(place, (git) => Diff.read(git, view, options)),
    log: (options) => using(place, (git) => History.log(git, view, options)),
    commit: (revision) => using(place, (git) => History.commit(git, revision)),
    blame: (options) => using(place, (git) => History.blame(git, view, options)),
    branches: (limit) => using(place, (git) => History.branches(git, limit)),
    outgoing: (options) => using(place, (git) => History.outgoing(git, view, options)),
    readFile: (commit, path, maxBytes) => using(place, (git) => History.readFile(git, view, { commit, path, maxBytes }))
  }
}

export const writes = (place: Seen): RepositoryWrite.RepositoryWrite["Service"] => {
  const { view } = place
  const asPerson = <A>(
    use: (git: Repository.Git, identity: Identity.Identity) => Effect.Effect<A, ToolError.ToolError>
  ) => using(place, (git) => Effect.flatMap(Identity.read({ ...place, git }), (identity) => use(git, identity)))
  return {
    commit: (options) => asPerson((git, identity) => Commits.commit(git, view, { ...options, identity })),
    createBranch: (options) => using(place, (git) => Branches.create(git, options)),
    switchTo: (branch) => using(place, (git) => Branches.switchTo(git, view, branch)),
    stash: (message, untracked) => asPerson((git, identity) => Branches.stash(git, { message, untracked, identity })),
    unstash: (index) => asPerson((git, identity) => Branches.unstash(git, { index, identity })),
    stashes: using(place, Branches.stashes)
  }
}

export const pushes = (place: RepositoryPlace): RepositoryPush.RepositoryPush["Service"] => ({
  push: (options) => using(place, (git) => Push.push({ ...place, git }, options))
})
