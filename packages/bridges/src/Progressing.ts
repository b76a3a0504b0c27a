/** A call as an async generator: it yields the lines of progress and then the result. */

type Run<A> = (onProgress: (message: string) => void, signal: AbortSignal) => Promise<A>

/** Starts the call at the first `next`. `return` aborts the call and waits until it has ended. */
export const progressing = <A>(run: Run<A>): AsyncGenerator<string, A | undefined, void> => {
  const controller = new AbortController()
  const lines: Array<string> = []
  let notify = (): void => {}
  let running: Promise<A> | undefined
  let isOver = false

  const start = (): Promise<A> =>
    run((message) => {
      lines.push(message)
      notify()
    }, controller.signal)

  const over = (value: A | undefined): IteratorReturnResult<A | undefined> => {
    isOver = true
    return { done: true, value }
  }

  const step = (call: Promise<A>): Promise<IteratorResult<string, A | undefined>> => {
    const line = lines.shift()
    if (line !== undefined) return Promise.resolve({ done: false, value: line })
    const woken = new Promise<null>((resolve) => {
      notify = () => resolve(null)
    })
    return Promise.race([woken, call.then((value) => ({ value }))]).then((ended) =>
      ended === null || lines.length > 0 ? step(call) : over(ended.value)
    )
  }

  const abandon = (): Promise<undefined> => {
    isOver = true
    controller.abort()
    return (running ?? Promise.resolve()).then(
      () => undefined,
      () => undefined
    )
  }

  return {
    next: () => {
      if (isOver) return Promise.resolve({ done: true, value: undefined })
      running ??= start()
      return step(running)
    },
    return: () => abandon().then(() => ({ done: true, value: undefined })),
    throw: (thrown: unknown) => abandon().then(() => Promise.reject(thrown)),
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: abandon
  }
}
