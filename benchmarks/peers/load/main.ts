/** Load tools on servers whose every word is logged: see README.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { prepare, runs, runTool } from "./run-tool.ts"
import { type Server, startModel, startQueue } from "./servers.ts"
import { type Figures, type Load, type Tool, tools } from "./tools.ts"
import { type Truth, truthOf } from "./truth.ts"

const kept = join(runs, "results.json")

/** 50 ms (100 ms) to the first of 16 to 64 words, then one each 10 ms (40 ms): with 8 slots 18 requests a second, with 256 slots 150. */
const queue = (slots: 8 | 256) =>
  startQueue({
    ...{ servers: slots, serviceMs: slots === 8 ? 50 : 100, exponential: false },
    stream: { words: [16, 64], wordMs: slots === 8 ? 10 : 40 },
  })
const words = { promptTokens: 16, maxTokens: 64, tokenizer: "tokenizer" } as const
const loads: Record<string, Load & { readonly start: () => Promise<Server> }> = {
  "1 stream, 8 slots": { ...words, start: () => queue(8), streams: 1, requests: 40, rate: 2.3 },
  "32 streams, 8 slots": { ...words, start: () => queue(8), streams: 32, requests: 360, rate: 18.2 },
  "32 streams, 256 slots": { ...words, start: () => queue(256), streams: 32, requests: 320, rate: 19.3 },
  "256 streams, 256 slots": { ...words, start: () => queue(256), streams: 256, requests: 2560, rate: 154 },
  "Poisson, 8 slots": { ...words, start: () => queue(8), requests: 180, rate: 9 },
  "Poisson, 256 slots": { ...words, start: () => queue(256), requests: 1200, rate: 80 },
}
for (const kind of ["llama-server", "evalkit serve"] as const) {
  const text = { promptTokens: 16, maxTokens: 32, tokenizer: "smollm2", start: () => startModel(kind, 8) } as const
  const start = () => startModel(kind, 32)
  Object.assign(loads, {
    [`${kind}, 1 stream`]: { ...text, streams: 1, requests: 16, rate: 1 },
    [`${kind}, 8 streams`]: { ...text, streams: 8, requests: 72, rate: 1 },
    [`${kind}, 32 streams`]: { ...text, start, streams: 32, requests: 96, rate: 1 },
    [`${kind}, Poisson`]: { ...text, requests: 20, rate: 0.5 },
  })
}

/** What a tool stated of a load, beside what the server logged. */
interface Run extends Truth {
  readonly stated: Figures
  readonly cpuSeconds: number
  /** Processor time of the server by the tokens that it wrote, its prompts and what came before the measured requests included; of real servers. */
  readonly serverMsPerToken?: number
}

mkdirSync(runs, { recursive: true })
const results: Record<string, Run | string> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}
const names = process.argv.slice(2)
for (const [load, settings] of Object.entries(loads))
  for (const [name, tool] of Object.entries(tools)) {
    const key = `${name}: ${load}`
    if (!names.every((part) => key.toLowerCase().includes(part.toLowerCase()))) continue
    const began = Date.now()
    try {
      const lack = tool.lacks?.(settings)
      results[key] = lack ?? (await measure(name, tool, settings))
    } catch (error) {
      results[key] = `SKIPPED: ${String(error).split("\n")[0]?.slice(0, 200)}`
    }
    const result = results[key]
    console.error(`${key}: ${typeof result === "string" ? result : `${((Date.now() - began) / 1000).toFixed(0)} s`}`)
    writeFileSync(kept, JSON.stringify(results, null, 1))
  }
printTables()

/** Puts a load on a fresh server by a tool, in an empty folder. */
async function measure(name: string, tool: Tool, load: (typeof loads)[string]): Promise<Run> {
  const { folder, bin } = prepare(name, tool)
  const server = await load.start()
  try {
    const before = server.cpuSeconds?.()
    const cpuSeconds = runTool(tool, tool.command(bin, server.base, load, folder), folder)
    const stated = tool.figures(folder)
    // What comes before the measured requests (a probe, a cold start, a warm-up) is no part of the figures.
    const spent = before === undefined ? Number.NaN : 1000 * ((server.cpuSeconds?.() ?? Number.NaN) - before)
    const all = await server.entries()
    const written = all.reduce((total, { timings }) => total + (timings?.predicted_n ?? 0), 0)
    const entries = all.toSorted((a, b) => a.arrivedMs - b.arrivedMs).slice(-stated.requests)
    const serverMsPerToken = spent / written
    return { stated, ...truthOf(entries, load), cpuSeconds, ...(written > 0 && { serverMsPerToken }) }
  } finally {
    server.stop()
  }
}

/** For each load what the server logged, and how far each tool is off it. */
function printTables(): void {
  for (const [load, { streams, rate }] of Object.entries(loads)) {
    const rows = Object.keys(tools).map((name) => [name, results[`${name}: ${load}`]] as const)
    if (rows.every(([, run]) => run === undefined)) continue
    console.log(`\n### ${load}\n`)
    const isModel = rows.some(([, run]) => typeof run === "object" && run.own !== undefined)
    const further = [...(streams ? [] : ["rate sent", "CV"]), "CPU s"]
    if (isModel)
      further.push(
        "TTFT on the wire",
        "prompt by the server",
        "TPOT on the wire",
        "by the server",
        "tokens/s",
        "server's CPU ms a token",
      )
    row(["tool", "TTFT ms", "TPOT ms", "ITL ms", "E2E ms", "requests/s", "tokens/s", ...further])
    row(["---", ...Array.from({ length: 6 + further.length }, () => "---:")])
    for (const [name, run] of rows) {
      if (run === undefined) continue
      if (typeof run === "string") {
        row([name, run])
        continue
      }
      const { stated, truth } = run
      const off = (figure: "ttft" | "tpot" | "itl" | "e2e", digits: number) =>
        stated[figure]
          .map((value, i) => (value === null ? "–" : signed(value - (truth[figure][i] as number), digits)))
          .join(" · ")
      const share = (figure: "requestsPerSecond" | "tokensPerSecond") =>
        stated[figure] === null ? "–" : `${signed(100 * (stated[figure] / (truth[figure] as number) - 1), 1)} %`
      const sent = streams ? [] : [`${signed(100 * (run.arrivalRate / rate - 1), 1)} %`, run.arrivalCv.toFixed(2)]
      row([
        ...[name, off("ttft", 1), off("tpot", 2), off("itl", 2), off("e2e", 1)],
        ...[share("requestsPerSecond"), share("tokensPerSecond"), ...sent, run.cpuSeconds.toFixed(0)],
        ...(run.own
          ? [truth.ttft[0], run.own.promptMs, truth.tpot[0], run.own.tpotMs, truth.tokensPerSecond]
              .map((value) => (value ?? Number.NaN).toFixed(1))
              .concat(run.serverMsPerToken?.toFixed(1) ?? "–")
          : []),
      ])
    }
  }
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`
}

function row(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`)
}
