import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { systemClock } from "../../src/core/clock.ts"
import { createRandom } from "../../src/core/random.ts"
import { startTruthServer } from "../../src/perf/client/start-truth-server.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { monotonicOffset } from "../../src/platform/monotonic-offset.ts"
import { openBareClient } from "../capture/bare-open-loop.ts"

/**
 * What `evalkit shadow` adds for those who wait for the primary: an open loop of 200 requests a second, straight to it and through the
 * proxy by turns, with a candidate that answers, dies, hangs, is slow or floods. Build first, then:
 * node --import jiti/register benchmarks/shadow/main.ts [SECONDS] [ROUNDS]
 */
const [secondsText = "20", roundsText = "2"] = process.argv.slice(2)
const [seconds, rate] = [Number(secondsText), 200]
const direct = "straight to the primary"
const states = [direct, "answers", "dies", "hangs", "slow", "floods"] as const
const command = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))

const primary = await startTruthServer({ firstMs: 50, intervalMs: 10, chunks: 10 })
const candidate = spawn(process.execPath, [fileURLToPath(new URL("./candidate.mjs", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
})
const candidatePort = Number(await firstLine(candidate))
const times = new Map<string, { first: number[]; end: number[]; pairs: number }>(
  states.map((state) => [state, { first: [], end: [], pairs: 0 }]),
)
for (let round = 0; round < Number(roundsText); round++)
  for (const state of round % 2 === 0 ? states : states.toReversed()) await measure(state, round)

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${seconds} s × ${roundsText} a row\n`,
)
print("| candidate | requests | TTFT p50 (ms) | p99 | E2E p50 (ms) | p99 | pairs stored |")
print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for (const [state, { first, end, pairs }] of times) {
  const cells = [quantile(first, 0.5), quantile(first, 0.99), quantile(end, 0.5), quantile(end, 0.99)]
  print(`| ${state} | ${first.length} | ${cells.join(" | ")} | ${state === direct ? "" : pairs} |`)
}
candidate.kill("SIGKILL")
await primary.stop()

async function measure(state: (typeof states)[number], round: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-shadow-"))
  const shadow = state === direct ? null : startShadow(state, folder)
  const baseUrl = shadow ? (JSON.parse(await firstLine(shadow)) as { url: string }).url : primary.baseUrl
  const client = await openBareClient(baseUrl, 100, monotonicOffset(systemClock))
  const load = (forSeconds: number, from: number) =>
    client.run(
      drawArrivals({ process: "poisson", ratePerSecond: rate, count: rate * forSeconds }, createRandom(round)),
      from,
    )
  await load(3, 0)
  const row = times.get(state)
  for (const { scheduledMs, firstMs, endMs } of await load(seconds, 1000)) {
    row?.first.push(firstMs - scheduledMs)
    row?.end.push(endMs - scheduledMs)
  }
  client.close()
  if (shadow && row) {
    const url = new URL("/__evalkit/status", baseUrl)
    row.pairs += ((await (await fetch(url)).json()) as { stored: number }).stored
    shadow.kill("SIGKILL")
    await once(shadow, "close")
  }
  rmSync(folder, { recursive: true, force: true })
}

function startShadow(state: string, folder: string): ChildProcess {
  const urls = ["--primary", primary.baseUrl, "--candidate", `http://127.0.0.1:${candidatePort}/${state}/v1`]
  const options = [
    "--candidate-model",
    "m",
    "--share",
    "5%",
    "--budget",
    "100000 requests/day",
    "--port",
    "0",
    "--json",
  ]
  return spawn(process.execPath, [command, "shadow", ...urls, ...options], {
    ...{ cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
  })
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ""
  for await (const part of child.stdout ?? []) {
    text += String(part)
    if (text.includes("\n")) break
  }
  return text.split("\n")[0] ?? ""
}

function quantile(values: readonly number[], share: number): string {
  return quantileOfSorted(Float64Array.from(values).sort(), share).toFixed(1)
}
