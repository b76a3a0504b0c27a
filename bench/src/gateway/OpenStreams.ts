/** Many open streams at once, each from a session that emits text ten times a second. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { check } from "../Check.ts"
import { max, quantile } from "../Statistics.ts"
import * as Child from "./Child.ts"
import * as Gateway from "./Gateway.ts"
import * as GatewayModel from "./GatewayModel.ts"
import * as Requests from "./Requests.ts"

export interface Delays {
  readonly p50: number
  readonly p99: number
  readonly longest: number
  readonly lost: number
  /** The number of pieces that arrived during the measurement, as a share of those that were due in it. */
  readonly share: number
  /** Processor time of the server for an event that one reader receives, in microseconds, once all turns have begun. */
  readonly cpuMicrosPerEvent: number
}

export interface Load {
  readonly streams: number
  readonly seconds: number
}

const intervalMillis = 100
/** The time in which the turns start one after another; pieces are counted after all have started. */
const rampSeconds = 10

/**
 * Reads the pieces of a delta: `[INDEX:DUE]` each. Cheaper than a regular expression, which matters because the load
 * generator shares the processors.
 */
const eachPiece = (data: string, use: (index: number, dueMillis: number) => void): void => {
  for (let at = data.indexOf('"text":"[') + 8; at > 7 && data[at] === "[";) {
    const colon = data.indexOf(":", at)
    const end = data.indexOf("]", colon)
    use(Number(data.slice(at + 1, colon)), Number(data.slice(colon + 1, end)))
    at = end + 1
  }
}

/** Counts the received pieces of each stream. */
const makeTally = (streams: number, pieces: number, onAllBegun: () => void) => {
  const received = Array.from({ length: streams }, () => ({ indexes: new Set<number>(), firstDueMillis: Infinity }))
  const dueMillis: Array<number> = []
  const delayMillis: Array<number> = []
  let begun = 0
  return {
    events: () => delayMillis.length,
    take: (stream: number, data: string, receivedMillis: number): void => {
      const tally = received[stream]
      eachPiece(data, (index, due) => {
        tally.indexes.add(index)
        tally.firstDueMillis = Math.min(tally.firstDueMillis, due)
        dueMillis.push(due)
        delayMillis.push(receivedMillis - due)
        if (tally.indexes.size === 1 && ++begun === streams) onAllBegun()
      })
    },
    delays: ({ seconds }: Load): Omit<Delays, "cpuMicrosPerEvent"> => {
      const beginMillis = max(received.map(({ firstDueMillis }) => firstDueMillis))
      const counted = delayMillis.filter(
        (_, at) => dueMillis[at] >= beginMillis && dueMillis[at] < beginMillis + seconds * 1000
      )
      check(counted.length > 0, "no piece came in the time that counts")
      return {
        share: counted.length / (streams * (1000 / intervalMillis) * seconds),
        p50: quantile(counted, 0.5),
        p99: quantile(counted, 0.99),
        longest: max(counted),
        lost: received.reduce((lost, { indexes }) => lost + pieces - indexes.size, 0)
      }
    }
  }
}

type Tally = ReturnType<typeof makeTally>

/**
 * Measures the server's processor time for an event while all streams are open and all turns run: the start of a turn
 * costs as much as many events, and is excluded.
 */
const makeMeter = (child: Child.Child<unknown>, { seconds }: Load) => {
  let begin: (tally: () => Tally) => void = () => undefined
  const measured = new Promise<number>((resolve, reject) => {
    begin = (tally) => {
      const measure = async (): Promise<number> => {
        const before = { cpu: await child.ask<number>("cpu"), events: tally().events() }
        await new Promise((done) => setTimeout(done, seconds * 1000))
        return ((await child.ask<number>("cpu")) - before.cpu) / (tally().events() - before.events)
      }
      measure().then(resolve, reject)
    }
  })
  return { begin: (tally: () => Tally) => begin(tally), measured }
}

/** A tally whose meter begins once every stream has had a piece. */
const makeMeasuredTally = (child: Child.Child<unknown>, load: Load) => {
  const meter = makeMeter(child, load)
  const tally: Tally = makeTally(load.streams, piecesOf(load), () => meter.begin(() => tally))
  return { tally, measured: meter.measured }
}

const piecesOf = ({ seconds }: Load): number => ((seconds + rampSeconds) * 1000) / intervalMillis

/** A frame of the gateway, which the minimal server sends too. */
export type Sample = { readonly text: string }

export const ofGateway = async (
  folder: string,
  load: Load
): Promise<{ readonly delays: Delays; readonly frame: Sample }> => {
  const pieces = piecesOf(load)
  const open = load.streams + 10
  const gateway = await Gateway.start(folder, { maxLoaded: open, maxIdleOpen: open, streams: load.streams })
  try {
    const sessions = await gateway.create(load.streams)
    // Opens each session, so that its turn starts at once.
    await gateway.turns(sessions, "Hello")
    const { measured, tally } = makeMeasuredTally(gateway.child, load)
    let frame: Sample | null = null
    let remaining = load.streams
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const streams = await gateway.streams(sessions, (stream, data, receivedMillis) => {
      if (data.startsWith('{"_tag":"Delta"')) {
        frame ??= JSON.parse(data) as Sample
        tally.take(stream, data, receivedMillis)
      } else if (Gateway.isTurnEnd(data) && --remaining === 0) end()
    })
    await gateway.send(sessions, GatewayModel.ticks(pieces, intervalMillis))
    await ended
    const delays = { ...tally.delays(load), cpuMicrosPerEvent: await measured }
    for (const { close } of streams) close()
    check(frame !== null, "no piece of a reply was streamed")
    return { delays, frame }
  } finally {
    await gateway.child.stop()
  }
}

export const ofBareServer = async (folder: string, load: Load, frame: Sample): Promise<Delays> => {
  const pieces = piecesOf(load)
  const home = join(folder, "home")
  mkdirSync(home, { recursive: true })
  const child = await Child.start<{ readonly url: string }>("bareEvents", home, { frame })
  try {
    const { measured, tally } = makeMeasuredTally(child, load)
    const url = `${child.ready.url}/?count=${pieces}&millis=${intervalMillis}`
    const streams = Array.from({ length: load.streams }, (_, index) => index)
    const open = await Requests.many(streams, 16, (stream) =>
      Requests.stream(url, "none", (data, receivedMillis) => tally.take(stream, data, receivedMillis))
    )
    await Promise.all(open.map(({ ended }) => ended))
    return { ...tally.delays(load), cpuMicrosPerEvent: await measured }
  } finally {
    await child.stop()
  }
}
