/** A call as an asynchronous iterable: its progress, and then its result as the last value. */

type Run<A> = (onUpdate: (update: A) => void, signal: AbortSignal) => Promise<A>

/** Starts the call at the first `next`. `return` and `signal` abort it; `return` also waits until it has ended. */
export const updatesOf = <A>(run: Run<A>, signal?: AbortSignal): AsyncIterable<A> => ({
  [Symbol.asyncIterator]: () => iterate(run, signal)
})

const iterate = <A>(run: Run<A>, outer: AbortSignal | undefined): AsyncIterator<A, undefined> => {
  const controller = new AbortController()
  const signal = outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer])
  const updates: Array<A> = []
  let notify = (): void => {}
  let running: Promise<A> | undefined
  let isOver = false

  const start = (): Promise<A> =>
    run((update) => {
      updates.push(update)
      notify()
    }, signal)

  const step = (call: Promise<A>): Promise<IteratorResult<A, undefined>> => {
    if (updates.length > 0) return Promise.resolve({ done: false, value: updates.shift() as A })
    const woken = new Promise<null>((resolve) => {
      notify = () => resolve(null)
    })
    return Promise.race([woken, call.then((value) => ({ value }))]).then((ended) => {
      if (ended === null || updates.length > 0) return step(call)
      isOver = true
      return { done: false, value: ended.value }
    })
  }

  const finalResult = { done: true, value: undefined } as const
  return {
    next: () => (isOver ? Promise.resolve(finalResult) : step((running ??= start()))),
    return: () => {
      isOver = true
      controller.abort()
      return (running ?? Promise.resolve()).then(
        () => finalResult,
        () => finalResult
      )
    }
  }
}
