/** The repository as the capabilities of one call. Each use opens it again, because its settings may have changed. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryPush, RepositoryRead, RepositoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import type * as HostProgram from "./HostProgram.ts"
import type { Identity, UserVariables } from "./Identity.ts"
import type * as Operations from "./Operations.ts"
import type { Git, Opening } from "./Repository.ts"

export interface RepositoryLocation extends Opening {
  readonly variables: UserVariables
}

interface ViewedRepository extends RepositoryLocation {
  readonly view: View
}

interface OpenedRepository {
  readonly git: Git
  readonly operations: typeof Operations
}

/** Loads the code at the first use of a repository. */
const using = <A>(
  place: RepositoryLocation,
  use: (opened: OpenedRepository) => Effect.Effect<A, ToolError.ToolError>
) =>
  Effect.flatMap(
    Effect.promise(() => import("./Operations.ts")),
    (operations) => Effect.flatMap(operations.Repository.open(place), (git) => use({ git, operations }))
  )

export const reads = (place: ViewedRepository): Omit<RepositoryRead.RepositoryRead["Service"], "unsaved"> => {
  const { view } = place
  return {
    status: (limit) => using(place, ({ git, operations }) => operations.Status.read(git, view, limit)),
    diff: (options) => using(place, ({ git, operations }) => operations.Diff.read(git, view, options)),
    log: (options) => using(place, ({ git, operations }) => operations.History.log(git, view, options)),
    commit: (revision) => using(place, ({ git, operations }) => operations.History.commit(git, revision)),
    blame: (options) => using(place, ({ git, operations }) => operations.History.blame(git, view, options)),
    branches: (limit) => using(place, ({ git, operations }) => operations.History.branches(git, limit)),
    outgoing: (options) => using(place, ({ git, operations }) => operations.History.outgoing(git, view, options)),
    proposal: (options) => using(place, ({ git, operations }) => operations.Proposal.read(git, view, options)),
    list: (commit, path, options) =>
      using(place, ({ git, operations }) => operations.CommittedFiles.list(git, view, { ...options, commit, path })),
    search: (commit, options) =>
      using(place, ({ git, operations }) => operations.CommittedFiles.search(git, view, { ...options, commit })),
    readFile: (commit, path, maxBytes) =>
      using(place, ({ git, operations }) => operations.History.readFile(git, view, { commit, path, maxBytes }))
  }
}

export const writes = (place: ViewedRepository): RepositoryWrite.RepositoryWrite["Service"] => {
  const { view } = place
  const asPerson = <A>(use: (opened: OpenedRepository, identity: Identity) => Effect.Effect<A, ToolError.ToolError>) =>
    using(place, (opened) =>
      Effect.flatMap(opened.operations.Identity.read({ ...place, git: opened.git }), (identity) =>
        use(opened, identity)
      )
    )
  return {
    commit: (options) =>
      asPerson(({ git, operations }, identity) => operations.Commits.commit(git, view, { ...options, identity })),
    createBranch: (options) => using(place, ({ git, operations }) => operations.Branches.create(git, options)),
    switchTo: (options) => using(place, ({ git, operations }) => operations.Branches.switchTo(git, view, options)),
    stash: (message, untracked) =>
      asPerson(({ git, operations }, identity) =>
        operations.Branches.stash(git, view, { message, untracked, identity })
      ),
    unstash: (options) =>
      asPerson(({ git, operations }, identity) => operations.Branches.unstash(git, { ...options, identity })),
    stashes: using(place, ({ git, operations }) => operations.Branches.stashes(git))
  }
}

export const pushes = (
  place: RepositoryLocation & Pick<HostProgram.HostSearch, "writable">
): RepositoryPush.RepositoryPush["Service"] => ({
  push: (options) => using(place, ({ git, operations }) => operations.Push.push({ ...place, git }, options)),
  openPullRequest: (options) =>
    using(place, ({ git, operations }) => operations.PullRequests.open({ ...place, root: git.root.path, git }, options))
})
