/** The worker thread of the tests: it does what its request says. */
import { parentPort, threadId } from "node:worker_threads"

export type Work =
  | { readonly _tag: "Echo"; readonly text: string }
  | { readonly _tag: "Spin" }
  | { readonly _tag: "Hang" }
  | { readonly _tag: "FillHeap" }
  | { readonly _tag: "FillBuffers" }
  | { readonly _tag: "Throw" }
  | { readonly _tag: "Exit" }

const port = parentPort
port?.on("message", (work: Work) => {
  const kept: Array<unknown> = []
  switch (work._tag) {
    case "Echo":
      return port.postMessage({ text: work.text, threadId })
    case "Spin":
      for (;;);
    case "Hang":
      return
    case "FillHeap":
      for (;;) kept.push({ more: kept.length, text: `${kept.length}`.repeat(10) })
    case "FillBuffers":
      for (;;) kept.push(Buffer.alloc(8 * 1024 ** 2, 1))
    case "Throw":
      throw new Error("thrown there")
    case "Exit":
      return process.exit(3)
  }
})
