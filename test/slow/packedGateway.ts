/** The installed gateway, as `npx bough-gateway` and the image of its Dockerfile start it. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { environment, type Machine, ends, repository } from "./machine.ts"

const dockerfile = readFileSync(join(repository, "apps/gateway/Dockerfile"), "utf8")

/** The arguments of an instruction of the Dockerfile in JSON. */
const words = (keyword: string): ReadonlyArray<string> =>
  JSON.parse(new RegExp(`^${keyword} (\\[.*\\])$`, "mu").exec(dockerfile)?.[1] ?? "null") as ReadonlyArray<string>

/** Fails unless the tarball has the page, which another package builds. */
export const checkTarball = (machine: Machine, tarball: string): void => {
  const files = ends(machine, ["tar", "-tzf", tarball], { cwd: machine.folder }).split("\n")
  assert.ok(files.includes("package/page/dist/index.html"), "the tarball has no page")
  assert.ok(files.some((file) => /^package\/page\/dist\/assets\/.+\.js$/u.test(file)))
}

/** Runs the install step of the image by hand, in a folder with the tarballs; returns the folder. */
export const installAsImage = (machine: Machine, tarballs: string): string => {
  const folder = join(machine.folder, "image")
  mkdirSync(folder)
  ends(machine, ["cp", "-r", tarballs, join(folder, "tarballs")], { cwd: folder })
  const [, step = ""] = /^RUN (npm install .+)$/mu.exec(dockerfile) ?? []
  assert.match(step, /tarballs/u)
  ends(machine, ["sh", "-c", step], { cwd: folder })
  return folder
}

/** Starts it as the image does, but on loopback and a free port; checks its answers, and ends it. */
export const serves = async (machine: Machine, folder: string, start: ReadonlyArray<string>): Promise<void> => {
  const [program = "", ...given] = [...start, ...words("CMD")]
  const data = join(machine.folder, "gateway-data")
  const args = given.map((word) => (word === "0.0.0.0" ? "127.0.0.1" : word === "/var/lib/bough" ? data : word))
  const child = spawn(program, [...args, "--port", "0"], { cwd: folder, env: environment(machine), detached: true })
  const ended = new Promise<number | string | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal))
  )
  try {
    let output = ""
    let failed = ""
    child.stderr.on("data", (data) => (failed += String(data)))
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (data) => {
        output += String(data)
        if (output.includes("curl -s")) resolve()
      })
      void ended.then((code) => reject(new Error(`the gateway ended with ${code}: ${output}${failed}`)))
    })
    const [, url = ""] = /listens on (http:\/\/127\.0\.0\.1:\d+)/u.exec(output) ?? []
    const [, path = ""] = /\n {2}http:\/\/[^/]+(\/sign-in#\S+)\n/u.exec(output) ?? []
    const [, token = ""] = /Bearer (\S+)"/u.exec(output) ?? []
    assert.notEqual(path, "", output)
    assert.equal((await fetch(`${url}/health`)).status, 200)
    assert.match(await (await fetch(`${url}/`)).text(), /<div id="root">/u)
    assert.match(await (await fetch(`${url}/reference`)).text(), /POST<\/span> \/api\/v1\/sessions</u)
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const created = await fetch(`${url}/api/v1/sessions`, { method: "POST", headers, body: "{}" })
    assert.equal(created.status, 201)
    assert.equal((await fetch(`${url}/api/v1/sessions`)).status, 401)
  } finally {
    // Signals the entire process group, as a terminal or an init does: npx passes no signal on, and ends by the signal itself.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM")
    assert.equal(await ended, program === "npx" ? "SIGTERM" : 143)
  }
}
