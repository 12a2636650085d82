import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { messageOf } from "../../../core/errors.ts"
import { type ServerProcess, startProcess } from "../../../serving/process.ts"
import { importMcp } from "./import-mcp.ts"

/** How an MCP server is started. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Lines between this process and a server that it started. */
export interface ProcessTransport extends Transport {
  readonly process: ServerProcess
  /** Why it can be spoken with no more; null while it can. */
  ending(): string | null
}

/** Bytes of one message, at most: a server that sends more is stopped. */
export const maxMessageBytes = 16 * 1024 * 1024

/** How long a server has to end by itself once its input is closed, and then after SIGTERM. */
const graceMs = { closed: 500, terminated: 2000 }

/**
 * A transport of the SDK over a process group that ends with this process, however it ends; the SDK's own leaves what the server
 * started behind, and the server too where this process is killed while it does not read.
 */
export async function startTransport(launch: Launch): Promise<ProcessTransport> {
  const { ReadBuffer, serializeMessage } =
    await importMcp<typeof import("@modelcontextprotocol/sdk/shared/stdio.js")>("shared/stdio.js")
  const process = startProcess({ ...launch, isSpokenWith: true })
  const buffer = new ReadBuffer({ maxBufferSize: maxMessageBytes })
  let stopped: string | null = null
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= (async () => {
      process.pipes?.input.end()
      const patience = new Promise<void>((resolve) => setTimeout(resolve, graceMs.closed).unref())
      await Promise.race([process.ended, patience])
      await process.stop(graceMs.terminated)
      buffer.clear()
    })()
    return closing
  }
  const transport: ProcessTransport = {
    process,
    ending: () => stopped ?? process.ending(),
    async start() {
      process.pipes?.output.on("data", (chunk) => {
        try {
          buffer.append(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        } catch {
          stopped = `it sent more than ${maxMessageBytes / 1024 / 1024} MB in one message, and was stopped`
          void close()
          return
        }
        for (;;) {
          try {
            const message = buffer.readMessage()
            if (message === null) return
            transport.onmessage?.(message)
          } catch (error) {
            // A line that is no message: some servers log to their output. The next may be one.
            transport.onerror?.(new Error(messageOf(error)))
          }
        }
      })
      void process.ended.then(() => transport.onclose?.())
    },
    async send(message) {
      const input = process.pipes?.input
      if (!input?.writable || transport.ending() !== null) throw new Error("the server has ended")
      if (input.write(serializeMessage(message))) return
      await Promise.race([new Promise<void>((resolve) => input.once("drain", resolve)), process.ended])
    },
    close,
  }
  return transport
}
