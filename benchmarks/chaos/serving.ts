import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { ChaosServer } from "../../test/support/chaos/server.ts"

/** A chaos server in another process, so that its work does not count as evalkit's. */
export interface ServingProcess extends Pick<ChaosServer, "url" | "tls"> {
  /** What the server counted since it was last asked to forget. */
  log(): Promise<ReturnType<ChaosServer["log"]>>
  reset(): Promise<void>
  close(): void
}

/** Starts a {@link ServingProcess}. */
export async function startServing(): Promise<ServingProcess> {
  const child = fork(fileURLToPath(new URL("./server.ts", import.meta.url)), {
    execArgv: ["--import", "jiti/register"],
  })
  const [{ url, tls }] = (await once(child, "message")) as [{ url: string; tls: ChaosServer["tls"] }]
  let turn: Promise<unknown> = Promise.resolve()
  /** One question after the other: replies have no names. */
  const ask = (question: "log" | "reset"): Promise<ReturnType<ChaosServer["log"]>> => {
    const asked = turn.then(async () => {
      child.send(question)
      const [{ log }] = (await once(child, "message")) as [{ log: ReturnType<ChaosServer["log"]> }]
      return log
    })
    turn = asked
    return asked
  }
  return {
    url: (rate) => url.replace("/0/", `/${rate}/`),
    tls,
    log: () => ask("log"),
    reset: async () => void (await ask("reset")),
    close: () => child.disconnect(),
  }
}
