import { fork } from "node:child_process"
import { EvalkitError } from "../../core/errors.ts"
import { ownModule } from "../../platform/own-module.ts"
import type { TruthMessage, TruthSettings, TruthStamps } from "./truth-server.ts"

/** A truth server in a process of its own. */
export interface TruthServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string
  /** When the server received each request and sent its chunks, by the number in the prompt `truth 17`. */
  stamps(): Promise<ReadonlyMap<string, TruthStamps>>
  /** Ends the process. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts the built-in truth server on loopback.
 *
 * @throws EvalkitError `truth_server_failed` when the process does not come up
 */
export async function startTruthServer(settings: TruthSettings): Promise<TruthServer> {
  const { path, execArgv } = ownModule(import.meta.url, "./truth-server")
  const child = fork(path, [], {
    env: { ...process.env, EVALKIT_TRUTH_SERVER: JSON.stringify(settings) },
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))

  function next<Kind extends TruthMessage["kind"]>(kind: Kind): Promise<Extract<TruthMessage, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: unknown) => {
        const received = message as TruthMessage
        if (received.kind !== kind) return
        child.off("message", onMessage)
        resolve(received as Extract<TruthMessage, { kind: Kind }>)
      }
      child.on("message", onMessage)
      const fail = (cause: unknown) =>
        reject(new EvalkitError("the built-in reference server ended", { code: "truth_server_failed", cause }))
      child.once("exit", fail)
      child.once("error", fail)
    })
  }

  const { port } = await next("listening")
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async stamps() {
      const answer = next("stamps")
      child.send("stamps")
      return new Map((await answer).stamps)
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
      await ended
    },
  }
}
