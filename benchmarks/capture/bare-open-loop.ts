import { connect, type Socket } from "node:net"
import { createPacer } from "../../src/capture/threads/pacing/pacer.ts"

/** What was stamped of one request, milliseconds of `performance.now()`. */
export interface BareStamps {
  readonly index: number
  readonly scheduledMs: number
  readonly sendMs: number
  readonly firstMs: number
  readonly endMs: number
}

/** Sockets that are open, and a pacer. */
export interface BareClient {
  /**
   * Sends requests at their moments.
   *
   * @param arrivals milliseconds from now
   * @param firstIndex number of the first one in its prompt
   */
  run(arrivals: Float64Array, firstIndex: number): Promise<readonly BareStamps[]>
  close(): void
}

/**
 * The least that a client in Node can do: sockets that are open already, one write a request, one look at each piece for the first text and the
 * end. No HTTP is read, nothing is kept. What it is late by is the machine's and Node's own.
 *
 * @param sockets that are opened beforehand
 * @param offsetMs what turns `performance.now()` into the system's monotonic clock
 */
export async function openBareClient(baseUrl: string, sockets: number, offsetMs: number): Promise<BareClient> {
  const { hostname, port, pathname } = new URL(baseUrl)
  const free: Socket[] = []
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
      socket.once("error", reject)
    })
  for (let left = sockets; left > 0; left -= 50)
    free.push(...(await Promise.all(Array.from({ length: Math.min(left, 50) }, open))))
  const pacer = createPacer()
  const head = `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n`

  const send = async (index: number, scheduledMs: number): Promise<BareStamps> => {
    const socket = free.pop() ?? (await open())
    const body = JSON.stringify({
      model: "truth",
      messages: [{ role: "user", content: `truth ${index}` }],
      stream: true,
    })
    return new Promise((resolve, reject) => {
      let firstMs = 0
      const onData = (piece: Buffer) => {
        if (firstMs === 0 && piece.includes('"content":" 0"')) firstMs = performance.now()
        if (!piece.includes("[DONE]")) return
        socket.off("data", onData)
        socket.off("error", reject)
        free.push(socket)
        resolve({ index, scheduledMs, sendMs, firstMs, endMs: performance.now() })
      }
      socket.on("data", onData)
      socket.once("error", reject)
      const sendMs = performance.now()
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`)
    })
  }
  return {
    run(arrivals, firstIndex) {
      const beginMs = performance.now() + 200
      return Promise.all(
        Array.from(
          arrivals,
          (atMs, i) =>
            new Promise<BareStamps>((resolve, reject) =>
              pacer.at(beginMs + atMs + offsetMs, () => send(firstIndex + i, beginMs + atMs).then(resolve, reject)),
            ),
        ),
      )
    },
    close() {
      pacer.close()
      for (const socket of free) socket.destroy()
    },
  }
}
