import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { performance } from "node:perf_hooks"
import { createRandom } from "../../src/core/random.ts"

/** A service with so many slots, first come first served. */
export interface QueueService {
  readonly servers: number
  /** Time from a free slot to the first word. */
  readonly serviceMs: number
  /** Exponential service times (M/M/c), or all alike (M/D/c). */
  readonly exponential: boolean
  /** Further words that keep the slot: so many words an answer, drawn evenly, one each `wordMs`; absent: one word. */
  readonly stream?: { readonly words: readonly [min: number, max: number]; readonly wordMs: number }
}

/** What happened to a request, in milliseconds of the server's clock. */
export interface QueueEntry {
  readonly arrivedMs: number
  /** When it got its slot. */
  readonly beganMs: number
  /** When each word was really sent. */
  readonly sentMs: readonly number[]
}

/** A chat endpoint on the loopback interface that serves as a queue does, and logs when it really served. */
export async function startQueueServer({ servers, serviceMs, exponential, stream }: QueueService, seed: string) {
  const random = createRandom(seed)
  const waiting: (() => void)[] = []
  const log: QueueEntry[] = []
  let busy = 0
  const begin = () => {
    const next = busy < servers ? waiting.shift() : undefined
    if (!next) return
    busy++
    next()
  }
  const server = createServer((request, response) => {
    const arrivedMs = performance.now()
    let asked = ""
    request.setEncoding("utf8").on("data", (text) => (asked += text))
    request.on("end", () => {
      if (request.url === "/log") return response.end(JSON.stringify(log.splice(0)))
      if (request.method === "GET") return response.end('{"object":"list","data":[{"id":"queue","object":"model"}]}')
      const [min, max] = stream?.words ?? [1, 1]
      const words = min + Math.floor(random.next() * (max - min + 1))
      const holdMs = exponential ? -Math.log(1 - random.next()) * serviceMs : serviceMs
      waiting.push(() => {
        const beganMs = performance.now()
        const sentMs: number[] = []
        const event = (fields: object) =>
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "queue", ...fields })}\n\n`
        const choice = (delta: object, finish_reason: string | null = null) =>
          event({ choices: [{ index: 0, delta, finish_reason }] })
        const send = () => {
          if (sentMs.length === 0) response.setHeader("content-type", "text/event-stream")
          const word = `${sentMs.length > 0 ? " " : ""}w${sentMs.length}`
          sentMs.push(performance.now())
          response.write(choice({ ...(sentMs.length === 1 && { role: "assistant" }), content: word }))
          if (sentMs.length < words) return next()
          const usage = { prompt_tokens: 16, completion_tokens: words, total_tokens: 16 + words }
          response.write(choice({}, "stop"))
          if (asked.includes('"include_usage"')) response.write(event({ choices: [], usage }))
          response.end("data: [DONE]\n\n")
          log.push({ arrivedMs, beganMs, sentMs })
          busy--
          begin()
        }
        const next = () => {
          const dueMs = beganMs + holdMs + sentMs.length * (stream?.wordMs ?? 0)
          setTimeout(send, Math.max(0, dueMs - performance.now()))
        }
        next()
      })
      begin()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    realMs: () => log.reduce((sum, { beganMs, sentMs }) => sum + (sentMs.at(-1) as number) - beganMs, 0) / log.length,
    close: () => server.closeAllConnections(),
    stop: () => server.close(),
  }
}

/** The highest rate at which 95 % end within the objective, in virtual time: requests a second. */
export function knownRate({ servers, serviceMs, exponential }: QueueService, sloMs: number): number {
  const keeps = (rate: number) => {
    const random = createRandom("known")
    const free = new Float64Array(servers)
    const count = 200_000
    let at = 0
    let met = 0
    for (let i = 0; i < count; i++) {
      at -= Math.log(1 - random.next()) * (1000 / rate)
      let first = 0
      for (let k = 1; k < servers; k++) if ((free[k] as number) < (free[first] as number)) first = k
      const end =
        Math.max(at, free[first] as number) + (exponential ? -Math.log(1 - random.next()) * serviceMs : serviceMs)
      free[first] = end
      met += Number(end - at <= sloMs)
    }
    return met >= 0.95 * count
  }
  let [low, high] = [0, (servers * 1000) / serviceMs]
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2
    if (keeps(middle)) low = middle
    else high = middle
  }
  return low
}
