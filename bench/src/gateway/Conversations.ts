/**
 * Many concurrent conversations, each with a reader, with the gateway and without it; and the times of single requests.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { HostOptions } from "../programs/hostConversations.ts"
import * as Child from "./Child.ts"
import * as Gateway from "./Gateway.ts"
import * as GatewayModel from "./GatewayModel.ts"
import * as Requests from "./Requests.ts"

export interface Work {
  readonly conversations: number
  readonly steps: number
}

/** A round before the measurement starts, so that the compiler has optimised the code. */
const warmUp = GatewayModel.steps(10)

export interface Speed {
  readonly stepsPerSecond: number
  /** Processor time of the server per step, in microseconds. A busy machine changes it little. */
  readonly cpuMicrosPerStep: number
}

/** Measures the time from the first message that is sent to the last end of a turn that a reader receives. */
export const ofGateway = async (folder: string, { conversations, steps }: Work): Promise<Speed> => {
  const gateway = await Gateway.start(folder, { maxLoaded: conversations + 10, streams: conversations })
  try {
    const sessions = await gateway.create(conversations)
    await gateway.turns(sessions, warmUp)
    let remaining = conversations
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => (end = resolve))
    const open = await gateway.streams(sessions, (_, data) => {
      if (Gateway.isTurnEnd(data) && --remaining === 0) end()
    })
    const cpu = await gateway.child.ask<number>("cpu")
    const startedAtMillis = performance.now()
    await gateway.send(sessions, GatewayModel.steps(steps))
    await ended
    const elapsedMillis = performance.now() - startedAtMillis
    const used = (await gateway.child.ask<number>("cpu")) - cpu
    for (const { close } of open) close()
    const all = conversations * steps
    return { stepsPerSecond: (all * 1000) / elapsedMillis, cpuMicrosPerStep: used / all }
  } finally {
    await gateway.child.stop()
  }
}

export const withoutGateway = async (folder: string, { conversations, steps }: Work): Promise<Speed> => {
  const home = join(folder, "home")
  mkdirSync(home, { recursive: true })
  const options: HostOptions = { directory: folder, sessions: conversations, steps }
  const child = await Child.start("hostConversations", home, options)
  try {
    await child.ask("turns")
    const cpu = await child.ask<number>("cpu")
    const stepsPerSecond = await child.ask<number>("turns")
    const used = (await child.ask<number>("cpu")) - cpu
    return { stepsPerSecond, cpuMicrosPerStep: used / (conversations * steps) }
  } finally {
    await child.stop()
  }
}

export interface RequestTimes {
  readonly create: ReadonlyArray<number>
  readonly send: ReadonlyArray<number>
}

/** Measures concurrent clients, each of which repeatedly creates a session and sends it a message. */
export const requestTimes = async (folder: string, clients: number, rounds: number): Promise<RequestTimes> => {
  const gateway = await Gateway.start(folder, { maxLoaded: 64, streams: 1 })
  try {
    const create: Array<number> = []
    const send: Array<number> = []
    const token = gateway.token(0)
    const api = `${gateway.child.ready.url}/api/v1/sessions`
    const converse = async (): Promise<void> => {
      const created = await Requests.json<Gateway.Session>(api, 201, { token, body: {} })
      const body = { text: "Hello" }
      const sent = await Requests.json(`${api}/${created.body.id}/messages`, 202, { token, body })
      create.push(created.millis)
      send.push(sent.millis)
    }
    const warm = Math.max(20, clients)
    await Requests.many(Array.from({ length: warm }), clients, converse)
    create.length = 0
    send.length = 0
    await Requests.many(Array.from({ length: rounds }), clients, converse)
    return { create, send }
  } finally {
    await gateway.child.stop()
  }
}
