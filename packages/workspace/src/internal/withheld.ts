/**
 * Paths that rules hide from the walks of one call: entries at or below them are not found, listed, copied or moved.
 */
import type { ToolError } from "@bough/protocol"
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { resolve } from "node:path"
import { quote, refuse } from "../Refusal.ts"
import * as Sensitive from "../Sensitive.ts"
import { pathOf } from "./pathText.ts"
import { pathsBelow, type Root } from "./root.ts"

type Segments = ReadonlyArray<string>

interface WithheldPath {
  readonly segments: Segments
  readonly withheldPath: ToolContext.WithheldPath
}

export interface WithheldPaths {
  readonly places: ReadonlyArray<WithheldPath>
  readonly report: ToolContext.WithheldLocations["report"]
}

export const none: WithheldPaths = { places: [], report: () => {} }

/** Makes the hidden paths, each as written and with its links resolved. */
export const make = ({ path, start }: Root, withheld: ToolContext.WithheldLocations | undefined): WithheldPaths =>
  withheld === undefined
    ? none
    : {
        places: withheld.places.flatMap((place) =>
          pathsBelow(path, resolve(path, ...start, place.path)).map((segments) => ({ segments, withheldPath: place }))
        ),
        report: withheld.report
      }

/**
 * Begins a walk at a directory or file: reports the hidden paths in its range, even those without a match, and returns
 * a function that decides whether a path is left out. `depth`: the number of levels that the walk covers.
 */
export const walk = (
  root: Root,
  { places, report }: WithheldPaths,
  { at, depth }: { readonly at: Segments; readonly depth: number }
): ((segments: Segments) => boolean) => {
  for (const { segments, withheldPath } of places) {
    const isInRange =
      Sensitive.isAtOrBelow(at, segments) ||
      (Sensitive.isAtOrBelow(segments, at) && segments.length - at.length <= depth && exists(root, segments))
    if (isInRange) report(withheldPath)
  }
  return (segments) => places.some((place) => Sensitive.isAtOrBelow(segments, place.segments))
}

/**
 * Fails if the entry to copy or move is at, below or above a hidden path: the hidden files could be found at the new
 * path.
 */
export const refuseWithheld = (
  root: Root,
  { places }: WithheldPaths,
  from: Segments
): Effect.Effect<void, ToolError.ToolError> => {
  const place = places.find(
    ({ segments }) =>
      Sensitive.isAtOrBelow(from, segments) || (Sensitive.isAtOrBelow(segments, from) && exists(root, segments))
  )
  if (place === undefined) return Effect.void
  const relation = from.length < place.segments.length ? "contains" : "lies in"
  const paths = `${quote(pathOf(root, from))} ${relation} ${quote(pathOf(root, place.segments))}`
  return Effect.fail(refuse("Withheld", "read", `${paths}, which the rule ${quote(place.withheldPath.rule)} withholds`))
}

const exists = ({ path }: Root, segments: Segments): boolean =>
  fs.lstatSync(`${path}/${segments.join("/")}`, { throwIfNoEntry: false }) !== undefined
