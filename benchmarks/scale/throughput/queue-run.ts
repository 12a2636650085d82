import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { PostgresServer } from "../../../test/support/servers/postgres-server.ts"
import { writeChatProject } from "./chat-project.ts"
import { cpuSecondsOf, familyCpuSeconds } from "./process-cpu.ts"
import { type WatchedProcess, watchProcess } from "./watched-process.ts"

const cli = fileURLToPath(new URL("../../../dist/src/cli/bin.js", import.meta.url))
const answerServer = fileURLToPath(new URL("./answer-server.mjs", import.meta.url))
/** How long a run may take, in milliseconds. */
const limitMs = 180_000

/** One run over workers. */
export interface QueueRunOptions {
  readonly store: PostgresServer
  /** With the process of its server, whose children count. */
  readonly queue: { readonly url: string; readonly pid: number }
  readonly workers: number
  /** Requests in flight of each worker. */
  readonly concurrency: number
  /** Milliseconds before the endpoint answers. */
  readonly answerMs: number
  readonly answers: number
}

/** What it took. Rates are answers a second; CPU is in milliseconds an answer, all threads and children. */
export interface QueueRun {
  readonly workers: number
  readonly concurrency: number
  readonly answerMs: number
  readonly answers: number
  /** From the first answer to the last. */
  readonly perSecond: number
  /** Of the middle eight tenths, when all workers have slices. */
  readonly middlePerSecond: number
  readonly workerCpuMs: number
  /** While answers arrive, without its start and the report. */
  readonly coordinatorCpuMs: number
  readonly storeCpuMs: number
  readonly queueCpuMs: number
  readonly endpointCpuMs: number
}

/** Starts endpoint and workers, then the coordinator, waits for the end and asks the endpoint how it went. */
export async function measureQueueRun(options: QueueRunOptions): Promise<QueueRun> {
  const { store, queue, workers, concurrency, answerMs } = options
  const samples = Math.ceil(options.answers / 2)
  const answers = 2 * samples
  const folder = mkdtempSync(join(tmpdir(), "evalkit-throughput-"))
  writeChatProject(folder, samples)
  const running: WatchedProcess[] = []
  const start = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): WatchedProcess => {
    const env = { ...process.env, CI: "1", NO_COLOR: "1", ...environment }
    const child = watchProcess([process.execPath, ...args], { cwd: folder, env })
    running.push(child)
    return child
  }
  try {
    const endpoint = start([answerServer, String(answerMs)])
    const url = (await endpoint.says(/http:\S+/)).trim()
    const shared = ["--queue", queue.url, "--store", store.url]
    const hired = Array.from({ length: workers }, (_, i) =>
      start([cli, "worker", ...shared, "--once", "--name", `w${i}`, "--concurrency", String(concurrency)], {
        ASK_URL: url,
      }),
    )
    await Promise.all(hired.map((child) => child.says(/waits for slices/)))
    const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0)
    const pids = hired.map(({ pid }) => pid)
    const coordinator = start([cli, "run", ...shared], { ASK_URL: url })
    const asked = async () => (await (await fetch(`${url}/count`)).json()) as Count
    const look = () => ({
      workers: cpuOf(pids),
      coordinator: cpuSecondsOf(coordinator.pid) ?? 0,
      store: familyCpuSeconds(store.pid()),
      queue: familyCpuSeconds(queue.pid),
    })
    let before = look()
    const { cpuSeconds: startCpuSeconds } = await asked()
    const untilMs = Date.now() + limitMs
    let count = await asked()
    for (; count.asked < answers && Date.now() < untilMs; count = await asked()) {
      // What was used before the first answer is start, not serving.
      if (count.asked === 0) before = look()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const after = look()
    const code = await coordinator.ended
    if (code !== 0 && code !== 4)
      throw new Error(`the coordinator ended with ${code}: ${coordinator.said().slice(-800)}`)
    count = await asked()
    if (count.asked !== answers || count.different !== answers)
      throw new Error(`${count.asked} requests, ${count.different} different ones, in place of ${answers}`)
    const perAnswer = (seconds: number) => (1000 * seconds) / answers
    return {
      workers,
      concurrency,
      answerMs,
      answers,
      perSecond: (answers - 1) / count.seconds,
      middlePerSecond: count.middlePerSecond,
      workerCpuMs: perAnswer(after.workers - before.workers),
      coordinatorCpuMs: perAnswer(after.coordinator - before.coordinator),
      storeCpuMs: perAnswer(after.store - before.store),
      queueCpuMs: perAnswer(after.queue - before.queue),
      endpointCpuMs: perAnswer(count.cpuSeconds - startCpuSeconds),
    }
  } finally {
    for (const child of running) child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Count {
  readonly asked: number
  readonly different: number
  readonly seconds: number
  readonly middlePerSecond: number
  readonly cpuSeconds: number
}
