/** Several roots as one workspace: each path is passed to the root that contains it. */
import { ToolError } from "@bough/protocol"
import type { RepositoryRead, WorkspaceRead, WorkspaceWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { quote, refuse } from "../Refusal.ts"
import { belowRoot } from "./pathText.ts"
import type { Root } from "./root.ts"

type Reader = WorkspaceRead.WorkspaceRead["Service"]
type Write = WorkspaceWrite.WorkspaceWrite["Service"]

export interface RoutedRoot<A> {
  readonly root: Root
  readonly isWritable: boolean
  readonly service: A
}

/** The first root contains the directory from which relative paths are resolved. */
export type Routes<A> = readonly [RoutedRoot<A>, ...ReadonlyArray<RoutedRoot<A>>]

interface MatchedRoute<A> extends RoutedRoot<A> {
  /**
   * The path in the form that its root accepts: a path that leads out of the first root becomes an absolute path in
   * another root.
   */
  readonly path: string
}

const find = <A>(routes: Routes<A>, path: string): MatchedRoute<A> => {
  const [first] = routes
  const absolute = resolve(first.root.path, ...first.root.start, path)
  const holders = routes.filter(({ root }) => belowRoot(root, absolute) !== null)
  const [deepest] = holders.toSorted((one, other) => other.root.path.length - one.root.path.length)
  return deepest === undefined || deepest === first ? { ...first, path } : { ...deepest, path: absolute }
}

export const reads = (routes: Routes<Reader>): Reader => {
  const [{ service }, ...others] = routes
  if (others.length === 0) return service
  const at = <A>(path: string, use: (service: Reader, path: string) => A): A => {
    const found = find(routes, path)
    return use(found.service, found.path)
  }
  return {
    readFile: (path, maxBytes) => at(path, (service, relativePath) => service.readFile(relativePath, maxBytes)),
    readLines: (path, range) => at(path, (service, relativePath) => service.readLines(relativePath, range)),
    info: (path) => at(path, (service, relativePath) => service.info(relativePath)),
    inspect: (path) => at(path, (service, relativePath) => service.inspect(relativePath)),
    list: (path, options) => at(path, (service, relativePath) => service.list(relativePath, options)),
    find: (glob, path, limit) => at(path, (service, relativePath) => service.find(glob, relativePath, limit)),
    search: (options) =>
      at(options.path, (service, relativePath) => service.search({ ...options, path: relativePath })),
    digest: (path) => at(path, (service, relativePath) => service.digest(relativePath))
  }
}

export const writes = (routes: Routes<Write>): Write => {
  const [{ service }, ...others] = routes
  if (others.length === 0) return service
  const at = <A>(path: string, use: (service: Write, path: string) => Effect.Effect<A, ToolError.ToolError>) => {
    const found = find(routes, path)
    return found.isWritable
      ? use(found.service, found.path)
      : Effect.fail(
          refuse("ReadOnlyWorkspace", "write", `${quote(path)} lies in a directory that is shown for reading`)
        )
  }
  const between = <A>(
    from: string,
    to: string,
    use: (service: Write, from: string, to: string) => Effect.Effect<A, ToolError.ToolError>
  ) =>
    at(from, (service, ownFrom) =>
      at(to, (other, ownTo) =>
        other === service
          ? use(service, ownFrom, ownTo)
          : Effect.fail(
              new ToolError.ExecutionError({
                message: `${quote(from)} and ${quote(to)} lie in directories that were opened separately`,
                hint: "read and write the file, or use a command"
              })
            )
      )
    )
  return {
    writeFile: (path, content, expected) =>
      at(path, (service, relativePath) => service.writeFile(relativePath, content, expected)),
    writePrivateFile: (path, content, expected) =>
      at(path, (service, relativePath) => service.writePrivateFile(relativePath, content, expected)),
    createDirectory: (path) => at(path, (service, relativePath) => service.createDirectory(relativePath)),
    move: (from, to) => between(from, to, (service, ownFrom, ownTo) => service.move(ownFrom, ownTo)),
    copy: (from, to) => between(from, to, (service, ownFrom, ownTo) => service.copy(ownFrom, ownTo)),
    remove: (path) => at(path, (service, relativePath) => service.remove(relativePath))
  }
}

type UnsavedMethod = RepositoryRead.RepositoryRead["Service"]["unsaved"]

export const unsaved =
  (routes: Routes<UnsavedMethod>): UnsavedMethod =>
  (path, limit) => {
    const found = find(routes, path)
    return found.service(found.path, limit)
  }
