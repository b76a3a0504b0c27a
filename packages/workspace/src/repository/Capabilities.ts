/** The repository as the capabilities of one call. Each use opens it again, because its settings may have changed. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryPush, RepositoryRead, RepositoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import type * as HostProgram from "./HostProgram.ts"
import type { Identity, UserVariables } from "./Identity.ts"
import type * as Operations from "./Operations.ts"
import type { Git, OpenContext } from "./Repository.ts"

export interface RepositoryLocation extends OpenContext {
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
const withRepository = <A>(
  location: RepositoryLocation,
  use: (opened: OpenedRepository) => Effect.Effect<A, ToolError.ToolError>
) =>
  Effect.flatMap(
    Effect.promise(() => import("./Operations.ts")),
    (operations) => Effect.flatMap(operations.Repository.open(location), (git) => use({ git, operations }))
  )

export const reads = (place: ViewedRepository): Omit<RepositoryRead.RepositoryRead["Service"], "unsaved"> => {
  const { view } = place
  return {
    status: (limit) => withRepository(place, ({ git, operations }) => operations.Status.read(git, view, limit)),
    diff: (options) => withRepository(place, ({ git, operations }) => operations.Diff.read(git, view, options)),
    log: (options) => withRepository(place, ({ git, operations }) => operations.History.log(git, view, options)),
    commit: (revision) => withRepository(place, ({ git, operations }) => operations.History.commit(git, revision)),
    blame: (options) => withRepository(place, ({ git, operations }) => operations.History.blame(git, view, options)),
    branches: (limit) => withRepository(place, ({ git, operations }) => operations.History.branches(git, limit)),
    outgoing: (options) =>
      withRepository(place, ({ git, operations }) => operations.History.outgoingCommits(git, view, options)),
    proposal: (options) => withRepository(place, ({ git, operations }) => operations.Proposal.read(git, view, options)),
    list: (commit, path, options) =>
      withRepository(place, ({ git, operations }) =>
        operations.CommittedFiles.list(git, view, { ...options, commit, path })
      ),
    search: (commit, options) =>
      withRepository(place, ({ git, operations }) =>
        operations.CommittedFiles.search(git, view, { ...options, commit })
      ),
    readFile: (commit, path, maxBytes) =>
      withRepository(place, ({ git, operations }) => operations.History.readFile(git, view, { commit, path, maxBytes }))
  }
}

export const writes = (place: ViewedRepository): RepositoryWrite.RepositoryWrite["Service"] => {
  const { view } = place
  const asPerson = <A>(use: (opened: OpenedRepository, identity: Identity) => Effect.Effect<A, ToolError.ToolError>) =>
    withRepository(place, (opened) =>
      Effect.flatMap(opened.operations.Identity.read({ ...place, git: opened.git }), (identity) =>
        use(opened, identity)
      )
    )
  return {
    commit: (options) =>
      asPerson(({ git, operations }, identity) => operations.Commits.commit(git, view, { ...options, identity })),
    createBranch: (options) => withRepository(place, ({ git, operations }) => operations.Branches.create(git, options)),
    switchTo: (options) =>
      withRepository(place, ({ git, operations }) => operations.Branches.switchTo(git, view, options)),
    stash: (message, untracked) =>
      asPerson(({ git, operations }, identity) =>
        operations.Branches.stash(git, view, { message, untracked, identity })
      ),
    unstash: (options) =>
      asPerson(({ git, operations }, identity) => operations.Branches.unstash(git, { ...options, identity })),
    stashes: withRepository(place, ({ git, operations }) => operations.Branches.stashes(git))
  }
}

export const pushes = (
  place: RepositoryLocation & Pick<HostProgram.HostSearch, "writable">
): RepositoryPush.RepositoryPush["Service"] => ({
  push: (options) => withRepository(place, ({ git, operations }) => operations.Push.push({ ...place, git }, options)),
  openPullRequest: (options) =>
    withRepository(place, ({ git, operations }) =>
      operations.PullRequests.open({ ...place, root: git.root.path, git }, options)
    )
})
