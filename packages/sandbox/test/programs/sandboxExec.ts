/**
 * A stand-in for `sandbox-exec` on Linux: it enforces the path rules of its profile, by mounts in their order. It does
 * not enforce rules about system calls and services.
 */
import { spawnSync } from "node:child_process"
import { existsSync, lstatSync } from "node:fs"
import { rulesOf } from "../SeatbeltRules.ts"

const [flag, profile = "", ...command] = process.argv.slice(2)
if (flag !== "-p") throw new Error(`no profile: ${flag}`)

const rules = rulesOf(profile)
const mounts = rules.flatMap(({ action, filters, operations }) =>
  filters.flatMap(([kind, path]) => {
    if (!existsSync(path) || path === "/" || path.startsWith("/dev")) return []
    if (kind === "literal" && operations.includes("file-write-unlink")) return ["--bind", path, path]
    if (kind !== "subpath" || operations.some((one) => one.startsWith("process"))) return []
    if (action === "deny" && operations.includes("file*")) {
      return lstatSync(path).isDirectory() ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path]
    }
    if (operations.includes("file-write*")) return [action === "allow" ? "--bind" : "--ro-bind", path, path]
    return operations.includes("file-read*") ? ["--ro-bind", path, path] : []
  })
)
const hasNetwork = rules.some(({ action, operations }) => action === "allow" && operations.includes("network-outbound"))
const system = ["/lib", "/lib64"].flatMap((path) => (existsSync(path) ? ["--ro-bind", path, path] : []))
const { status } = spawnSync(
  "bwrap",
  [
    "--unshare-user",
    "--unshare-pid",
    "--die-with-parent",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...(hasNetwork ? [] : ["--unshare-net"]),
    ...system,
    ...mounts,
    "--remount-ro",
    "/",
    "--chdir",
    process.cwd(),
    ...command
  ],
  { stdio: "inherit" }
)
process.exit(status ?? 1)
