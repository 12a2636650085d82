import type { AddressInfo } from "node:net"
import { createServer, type TLSSocket } from "node:tls"
import { selfSigned } from "../chaos/certificates.ts"

/** A server that speaks HTTP/2 frame by frame (RFC 9113, section 4), so that it can say what no library says. */
export interface FrameServer {
  /** `https://127.0.0.1:PORT` */
  readonly origin: string
  readonly sockets: ReadonlySet<TLSSocket>
  /** Streams that it was asked to reset, over all connections. */
  readonly resets: readonly number[]
  close(): Promise<void>
}

/** One frame. */
export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i)
  return bytes
}

/** `:status: 200` alone. */
export const okHead = (stream: number) => frame(1, 4, stream, Buffer.from([0x88]))
export const data = (stream: number, text: string) => frame(0, 0, stream, Buffer.from(text))
export const lastData = (stream: number, text: string) => frame(0, 1, stream, Buffer.from(text))
export const reset = (stream: number, code: number) => frame(3, 0, stream, numbers(code))
export const goaway = (lastStream: number, code: number) => frame(7, 0, 0, numbers(lastStream, code))
/** How many streams it allows. */
export const allows = (streams: number) => {
  const payload = Buffer.alloc(6)
  payload.writeUInt16BE(3, 0)
  payload.writeUInt32BE(streams, 2)
  return frame(4, 0, 0, payload)
}

/**
 * @param onRequest is called for the head of each request, with its number over all connections, from 1
 * @param settings its first frame; null: it sends none, and takes none
 */
export async function serveFrames(
  onRequest: (socket: TLSSocket, stream: number, nth: number) => void,
  settings: Buffer | null = frame(4, 0, 0),
): Promise<FrameServer> {
  const sockets = new Set<TLSSocket>()
  const resets: number[] = []
  let requests = 0
  const server = createServer({ ...selfSigned, ALPNProtocols: ["h2"] }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    if (settings) socket.write(settings)
    let held = Buffer.alloc(0)
    let hasPreface = false
    socket.on("data", (bytes: Buffer) => {
      held = Buffer.concat([held, bytes])
      if (!hasPreface && held.length < 24) return
      if (!hasPreface) held = held.subarray(24)
      hasPreface = true
      while (held.length >= 9 && held.length >= 9 + held.readUIntBE(0, 3)) {
        const [type, flags, stream] = [held[3], held[4] ?? 0, held.readUInt32BE(5)]
        held = held.subarray(9 + held.readUIntBE(0, 3))
        if (type === 4 && (flags & 1) === 0 && settings) socket.write(frame(4, 1, 0))
        if (type === 3) resets.push(stream)
        if (type === 1) onRequest(socket, stream, ++requests)
      }
    })
  })
  server.on("tlsClientError", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    resets,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
