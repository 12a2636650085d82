import { cpus, loadavg } from "node:os"
import { measureBench } from "../../src/bench/measure.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { Answer } from "../../src/core/generation.ts"
import type { OpenContext } from "../../src/core/provider.ts"
import { createRandom } from "../../src/core/random.ts"
import { startTruthServer } from "../../src/perf/client/start-truth-server.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import { openai } from "../../src/providers/openai.ts"
import { checkFigures, type Judged } from "./stated-error-check.ts"

/**
 * Is any figure of `evalkit bench` further from the truth than the error that it states beside it? Run: node benchmarks/capture/run.mjs
 * stated-error [SECONDS] [RATE] [ROUNDS]. The bench measures a server that writes down when each request came and when each chunk went; afterwards
 * every request is compared with that. Prints a line for each figure; the exit status is 1 when one is not kept.
 */
const [secondsText = "8", rateText = "1000", roundsText = "1"] = process.argv.slice(2)
const settings = { firstMs: 400, intervalMs: 200, chunks: 4 }
const limitMs = 60_000
const context: OpenContext = {
  clock: systemClock,
  signal: new AbortController().signal,
  environment: {},
  cacheDirectory: "",
  capture: { transport: "undici", threads: "auto" },
  progress: () => {},
}
const print = (line: string): void => void process.stdout.write(`${line}\n`)

print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
let isKept = true
for (let round = 0; round < Number(roundsText); round++) {
  const judged = await judge(round)
  print("| figure | off by | stated | |")
  print("| --- | ---: | ---: | --- |")
  for (const { figure, off, stated, kept } of judged)
    print(`| ${figure} | ${off} | ${stated} | ${kept ? "pass" : "FAIL"} |`)
  print(`\nload ${loadavg()[0]?.toFixed(1)}\n`)
  isKept &&= judged.every(({ kept }) => kept)
}
process.exit(isKept ? 0 : 1)

async function judge(round: number): Promise<readonly Judged[]> {
  const server = await startTruthServer(settings)
  const arrivals = drawArrivals(
    { process: "poisson", ratePerSecond: Number(rateText), durationMs: 1000 * Number(secondsText) },
    createRandom(round + 1),
  )
  const answers = new Map<string, Answer>()
  const open = (baseUrl: string) => openai({ model: "truth", baseUrl, apiKeyVariable: null }).open(context)
  const request = (id: number) => ({ messages: [{ role: "user" as const, content: `truth ${id}` }], parameters: {} })
  const { levels } = await measureBench({
    targets: [
      {
        name: "truth",
        fingerprint: () => "",
        endpoint: server.baseUrl,
        baseUrl: new URL(server.baseUrl),
        price: null,
        exclusive: false,
        open: async () => ({
          name: "truth",
          session: await open(server.baseUrl),
          price: null,
          requestOf: request,
          warmUpRequestOf: (index) => request(1e6 + index),
        }),
      },
    ],
    mode: { kind: "levels", plans: [{ kind: "open", arrivals, description: "poisson" }] },
    slo: [],
    warmUp: true,
    openTruth: open,
    blocks: null,
    queriesPerMonth: null,
    availabilityTarget: 0.999,
    budget: null,
    timeouts: { connectMs: limitMs, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs },
    clock: systemClock,
    signal: context.signal,
    onAnswer: (answer, index) => void answers.set(String(index), answer),
    onProgress: () => {},
  })
  const truth = await server.stamps()
  await server.stop()
  return checkFigures(levels[0]!, answers, truth)
}
