import type { ServerResponse } from "node:http"

/** Writes server-sent events to a response. */
export interface EventWriter {
  /** Resolves at once, or when a slow reader has caught up, so that an answer never piles up in memory. */
  write(value: unknown): Promise<void>
  end(): void
}

/**
 * Events that follow each other without waiting for the model (the last token, the end, the usage) leave in one packet:
 * they are gathered until the current tick is over.
 */
export function createEventWriter(response: ServerResponse, signal: AbortSignal): EventWriter {
  let gathered = ""
  let room = true
  const flush = (): void => {
    if (gathered === "" || response.writableEnded) return
    room = response.write(gathered)
    gathered = ""
  }
  return {
    async write(value) {
      if (!response.headersSent)
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" })
      if (gathered === "") process.nextTick(flush)
      gathered += `data: ${JSON.stringify(value)}\n\n`
      if (!room) await drained(response, signal)
      room = true
    },
    end() {
      const rest = gathered
      gathered = ""
      response.end(`${rest}data: [DONE]\n\n`)
    },
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go)
      signal.removeEventListener("abort", go)
      resolve()
    }
    response.once("drain", go)
    signal.addEventListener("abort", go, { once: true })
    if (signal.aborted || !response.writableNeedDrain) go()
  })
}
