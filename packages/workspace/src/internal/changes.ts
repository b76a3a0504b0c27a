/** Makes directories, moves, copies and removes. It never replaces an existing entry. */
import { ToolError } from "@bough/protocol"
import type { WorkspaceWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { quote, refuse } from "../Refusal.ts"
import { copyTree } from "./copy.ts"
import { syncDirectory } from "./durable.ts"
import { mayDisclose, type View } from "./openFile.ts"
import { mayWrite } from "./replaceFile.ts"
import { holdsOperators, type Root } from "./root.ts"
import { call, failWith, report } from "./systemCall.ts"
import { entriesBelow, removeEntries } from "./tree.ts"
import { type WalkLocation, visit } from "./walk.ts"
import * as Withheld from "./withheld.ts"

type Write = WorkspaceWrite.WorkspaceWrite["Service"]

export const createDirectory = (root: Root, path: string): ReturnType<Write["createDirectory"]> =>
  Effect.andThen(
    mayWrite(root),
    visit(root, { path, access: "write", follow: true, missing: "make" }, (place) => {
      if (place.stats?.isDirectory() === true) return Effect.succeed({ created: false })
      return call(() => fs.mkdirSync(place.at)).pipe(
        Effect.mapError(report(path)),
        Effect.andThen(syncDirectory(place.parent, path)),
        Effect.as({ created: true })
      )
    })
  )

export const move = (view: View, from: string, to: string): ReturnType<Write["move"]> =>
  between(view, { from, to }, (source, target) => {
    if (holdsOperators(view.root, source.segments)) {
      return Effect.fail(refuse("Protected", "write", `${quote(from)} holds what may not be moved`))
    }
    const renamed = call(() => fs.renameSync(source.at, target.at))
    // A rename would replace a file that another process created in the meantime; a link does not.
    const linked = call(() => fs.linkSync(source.at, target.at)).pipe(
      Effect.andThen(call(() => fs.unlinkSync(source.at))),
      Effect.catchTag("SystemError", (error) =>
        error.code === "EPERM" || error.code === "ENOTSUP" || error.code === "EMLINK" ? renamed : Effect.fail(error)
      )
    )
    return (source.stats?.isFile() === true ? linked : renamed).pipe(
      Effect.mapError((error) =>
        error.code === "EXDEV"
          ? report(to, "copy_path, then delete_path")(error)
          : report(error.code === "EEXIST" ? to : from)(error)
      ),
      Effect.andThen(syncDirectory(target.parent, to)),
      Effect.andThen(syncDirectory(source.parent, from)),
      Effect.uninterruptible
    )
  })

export const copy = (view: View, from: string, to: string): ReturnType<Write["copy"]> =>
  between(view, { from, to }, (source, target) => copyTree(view.root, source, target))

/** Checks both ends: a readable entry at `from`, and none at `to`. */
const between = <A>(
  view: View,
  { from, to }: { readonly from: string; readonly to: string },
  use: (source: WalkLocation, target: WalkLocation) => Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.andThen(
    mayWrite(view.root),
    visit(view.root, { path: from, access: "write", follow: false, missing: "fail" }, (source) =>
      Effect.gen(function* () {
        if (source.stats === null) return yield* failWith("ENOENT", from)
        yield* refuseRoot(view.root, source)
        yield* mayDisclose(view, from, source)
        yield* Withheld.refuseWithheld(view.root, view.withheld, source.segments)
        return yield* visit(view.root, { path: to, access: "write", follow: false, missing: "make" }, (target) => {
          if (target.stats !== null) return Effect.fail(failWith("EEXIST", to))
          const isInside =
            source.segments.length < target.segments.length &&
            source.segments.every((name, index) => name === target.segments[index])
          return isInside
            ? Effect.fail(
                new ToolError.ExecutionError({ message: `${quote(to)} is inside ${quote(from)}: it cannot go there` })
              )
            : use(source, target)
        })
      })
    )
  )

export const remove = (root: Root, path: string): ReturnType<Write["remove"]> =>
  Effect.andThen(
    mayWrite(root),
    visit(root, { path, access: "write", follow: false, missing: "fail" }, (place) =>
      Effect.gen(function* () {
        if (place.stats === null) return yield* failWith("ENOENT", path)
        yield* refuseRoot(root, place)
        const entries = yield* entriesBelow(root, place, { access: "write", state: "refuse" })
        yield* removeEntries(root, entries, { at: place.at, isPartial: false })
        yield* syncDirectory(place.parent, path)
        return { files: entries.filter(({ kind }) => kind !== "directory").length }
      })
    )
  )

const refuseRoot = (root: Root, location: WalkLocation): Effect.Effect<void, ToolError.ToolError> =>
  location.segments.length <= root.start.length && location.segments.every((name, index) => name === root.start[index])
    ? Effect.fail(refuse("Protected", "write", "the workspace root itself stays where it is"))
    : Effect.void
