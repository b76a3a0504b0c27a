/** Many open streams at once, each of a session that sends text ten times a second. */
import { join } from "node:path"
import { mkdirSync } from "node:fs"
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
  /** Processor time of the server for an event that one reader receives, in microseconds. */
  readonly cpuMicrosPerEvent: number
}

export interface Load {
  readonly streams: number
  readonly seconds: number
}

const intervalMillis = 100
/** The time in which the turns start one after another; pieces are counted after all have started. */
const rampSeconds = 10

/** Counts the received pieces of each stream. */
const makeTally = (streams: number, pieces: number) => {
  const received = Array.from({ length: streams }, () => ({ indexes: new Set<number>(), firstDueMillis: Infinity }))
  const delays: Array<{ readonly dueMillis: number; readonly delayMillis: number }> = []
  return {
    take: (stream: number, text: string, receivedMillis: number): void => {
      const tally = received[stream]
      for (const [, index, due] of text.matchAll(/\[(\d+):([\d.]+)\]/gu)) {
        const dueMillis = Number(due)
        tally.indexes.add(Number(index))
        tally.firstDueMillis = Math.min(tally.firstDueMillis, dueMillis)
        delays.push({ dueMillis, delayMillis: receivedMillis - dueMillis })
      }
    },
    delays: ({ seconds }: Load): Omit<Delays, "cpuMicrosPerEvent"> & { readonly events: number } => {
      const beginMillis = max(received.map(({ firstDueMillis }) => firstDueMillis))
      const counted = delays
        .filter(({ dueMillis }) => dueMillis >= beginMillis && dueMillis < beginMillis + seconds * 1000)
        .map(({ delayMillis }) => delayMillis)
      check(counted.length > 0, "no piece came in the time that counts")
      return {
        share: counted.length / (streams * (1000 / intervalMillis) * seconds),
        p50: quantile(counted, 0.5),
        p99: quantile(counted, 0.99),
        longest: max(counted),
        lost: received.reduce((lost, { indexes }) => lost + pieces - indexes.size, 0),
        events: delays.length
      }
    }
  }
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
    const tally = makeTally(load.streams, pieces)
    let frame: Sample | null = null
    let left = load.streams
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const streams = await gateway.streams(sessions, (stream, data, receivedMillis) => {
      if (data.startsWith('{"_tag":"Delta"')) {
        frame ??= JSON.parse(data) as Sample
        tally.take(stream, data, receivedMillis)
      } else if (Gateway.isTurnEnd(data) && --left === 0) end()
    })
    const cpu = await gateway.child.ask<number>("cpu")
    await gateway.send(sessions, GatewayModel.ticks(pieces, intervalMillis))
    await ended
    const { events, ...delays } = tally.delays(load)
    const used = (await gateway.child.ask<number>("cpu")) - cpu
    for (const { close } of streams) close()
    check(frame !== null, "no piece of a reply was streamed")
    return { delays: { ...delays, cpuMicrosPerEvent: used / events }, frame }
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
    const tally = makeTally(load.streams, pieces)
    const cpu = await child.ask<number>("cpu")
    const url = `${child.ready.url}/?count=${pieces}&millis=${intervalMillis}`
    const streams = Array.from({ length: load.streams }, (_, index) => index)
    const open = await Requests.many(streams, 16, (stream) =>
      Requests.stream(url, "none", (data, receivedMillis) => tally.take(stream, data, receivedMillis))
    )
    await Promise.all(open.map(({ ended }) => ended))
    const { events, ...delays } = tally.delays(load)
    const used = (await child.ask<number>("cpu")) - cpu
    return { ...delays, cpuMicrosPerEvent: used / events }
  } finally {
    await child.stop()
  }
}
