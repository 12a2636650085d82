import { connect, type Socket } from "node:net"
import { createPacer } from "../../src/capture/threads/pacing/pacer.ts"

/** What was stamped of one request, milliseconds of `performance.now()`. */
export interface BareStamps {
  readonly index: number
  readonly scheduledMs: number
  readonly sendMs: number
  readonly firstMs: number
}

/**
 * The least that a client in Node can do: sockets that are open already, one write a request, one look at each piece for the first text and the
 * end. No HTTP is read, nothing is kept. What it is late by is the machine's and Node's own.
 *
 * @param arrivals milliseconds from now
 * @param offsetMs what turns `performance.now()` into the system's monotonic clock
 */
export async function bareOpenLoop(
  baseUrl: string,
  arrivals: Float64Array,
  offsetMs: number,
): Promise<readonly BareStamps[]> {
  const { hostname, port, pathname } = new URL(baseUrl)
  const free: Socket[] = []
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
      socket.once("error", reject)
    })
  const streams = (1000 * arrivals.length) / (arrivals.at(-1) ?? 1000)
  for (let left = Math.ceil(streams * 1.3) + 8; left > 0; left -= 50)
    free.push(...(await Promise.all(Array.from({ length: Math.min(left, 50) }, open))))
  const pacer = createPacer()
  const beginMs = performance.now() + 200
  const stamps = await Promise.all(
    Array.from(
      arrivals,
      (atMs, index) =>
        new Promise<BareStamps>((resolve, reject) => {
          const scheduledMs = beginMs + atMs
          const send = async () => {
            const socket = free.pop() ?? (await open())
            const body = JSON.stringify({
              model: "truth",
              messages: [{ role: "user", content: `truth ${index}` }],
              stream: true,
            })
            const head = `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\n`
            let firstMs = 0
            const onData = (piece: Buffer) => {
              if (firstMs === 0 && piece.includes('"content":" 0"')) firstMs = performance.now()
              if (!piece.includes("[DONE]")) return
              socket.off("data", onData)
              free.push(socket)
              resolve({ index, scheduledMs, sendMs, firstMs })
            }
            socket.on("data", onData)
            socket.once("error", reject)
            const sendMs = performance.now()
            socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
          }
          pacer.at(scheduledMs + offsetMs, () => void send())
        }),
    ),
  )
  pacer.close()
  for (const socket of free) socket.destroy()
  return stamps
}
