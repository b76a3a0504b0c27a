/** The git tools. A Worker may have `readOnly`. */
import { ToolPack } from "@bough/tool"
import { GitBlame } from "./GitBlame.ts"
import { GitBranch } from "./GitBranch.ts"
import { GitCommit } from "./GitCommit.ts"
import { GitDiff } from "./GitDiff.ts"
import { GitListBranches } from "./GitListBranches.ts"
import { GitLog } from "./GitLog.ts"
import { GitPush } from "./GitPush.ts"
import { GitShow } from "./GitShow.ts"
import { GitStash } from "./GitStash.ts"
import { GitStatus } from "./GitStatus.ts"
import { GitSwitch } from "./GitSwitch.ts"
import { OpenPullRequest } from "./OpenPullRequest.ts"

/** The tools that only read: a Worker may have them. */
export const readOnly = ToolPack.named(
  "git",
  ToolPack.make(GitStatus, GitDiff, GitLog, GitShow, GitBlame, GitListBranches)
)

/** All tools, for a Main or a Branch. */
export const all = ToolPack.named(
  "git",
  ToolPack.merge(readOnly, ToolPack.make(GitCommit, GitBranch, GitSwitch, GitStash, GitPush, OpenPullRequest))
)
