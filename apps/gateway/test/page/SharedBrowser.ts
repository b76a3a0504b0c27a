/**
 * One browser for all test files of a run: a start costs more than most tests of the page. It starts at the first request
 * through a socket, so runs without tests of the page start none. Each file has contexts of its own.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { Browser, BrowserServer } from "playwright-core"

/** A name of this machine for which browsers have no rights of a secure context. */
export const hostName = "bough.test"

/** The variable with the path of the socket. */
const variable = "BOUGH_TEST_BROWSER"

/** Loaded by a test that is played: it takes a second, also in a worker that skips all tests of the page. */
const playwright = () => import("playwright-core")

const options = {
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", `--host-resolver-rules=MAP ${hostName} 127.0.0.1`]
}

/** Listens during a run; vitest calls it in its main process, and the returned function after the run. */
export default async (): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), "bough-browser-"))
  let browser: Promise<BrowserServer> | undefined
  const launch = async (): Promise<BrowserServer> => {
    const { chromium } = await playwright()
    const started = await chromium.launchServer({ ...options, host: "127.0.0.1" })
    // The next file gets another browser after a crash.
    started.once("close", () => (browser = undefined))
    return started
  }
  const server = createServer((socket) => {
    socket.on("error", () => {})
    browser ??= launch()
    browser.then(
      (started) => socket.end(started.wsEndpoint()),
      (error: unknown) => socket.end(`no browser: ${String(error)}`)
    )
  })
  process.env[variable] = join(folder, "socket")
  await new Promise<void>((resolve) => server.listen(process.env[variable], resolve))
  return async () => {
    server.close()
    await (await browser)?.close()
    rmSync(folder, { recursive: true })
  }
}

/** Connects to the browser of the run, or starts one for a program outside a run. `close` ends the caller's contexts. */
export const open = async (): Promise<Browser> => {
  const path = process.env[variable]
  const { chromium } = await playwright()
  if (path === undefined) return chromium.launch(options)
  const answer = await text(connect(path))
  if (!answer.startsWith("ws:")) throw new Error(answer)
  return chromium.connect(answer)
}
