import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { performance } from "node:perf_hooks"
import { createRandom } from "../../src/core/random.ts"

/** A service with so many places, first come first served. */
export interface QueueService {
  readonly servers: number
  readonly serviceMs: number
  /** Exponential service times (M/M/c), or all alike (M/D/c). */
  readonly exponential: boolean
}

/** A chat endpoint on the loopback interface that serves as a queue does, and logs how long it really served. */
export async function startQueueServer({ servers, serviceMs, exponential }: QueueService, seed: string) {
  const random = createRandom(seed)
  const waiting: (() => void)[] = []
  let busy = 0
  let served = 0
  let servedMs = 0
  const begin = () => {
    const next = busy < servers ? waiting.shift() : undefined
    if (!next) return
    busy++
    next()
  }
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => {
      if (request.method === "GET") return response.end('{"object":"list","data":[{"id":"queue"}]}')
      waiting.push(() => {
        const from = performance.now()
        setTimeout(
          () => {
            response.setHeader("content-type", "text/event-stream")
            const choice = { index: 0, delta: { role: "assistant", content: "yes" }, finish_reason: "stop" }
            response.write(`data: ${JSON.stringify({ id: "1", model: "queue", choices: [choice] })}\n\n`)
            response.end("data: [DONE]\n\n")
            served++
            servedMs += performance.now() - from
            busy--
            begin()
          },
          exponential ? -Math.log(1 - random.next()) * serviceMs : serviceMs,
        )
      })
      begin()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    realMs: () => servedMs / served,
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
