import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startTruthServer } from "../../src/perf/client/start-truth-server.ts"
import { quantileOfSorted } from "../../src/perf/percentile.ts"
import { contenders } from "./contenders.ts"

/**
 * Prompts of 50,000 tokens, 32 at a time: how far is what a client says of an answer from what the server saw? Run:
 * node benchmarks/capture/run.mjs long-prompts [ROUNDS] [PASSES]. Each row is a process of its own; the passes go through all clients in turn.
 */
const concurrency = 32
/** A token of English is about four characters long. */
const prompt = "word ".repeat(40_000)
/** The server thinks for a second, then sends a chunk every 20 ms. */
const settings = { firstMs: 1000, intervalMs: 20, chunks: 50 }

const [roundsText = "10", passesText = "1", name] = process.argv.slice(2)
const rounds = Number(roundsText)
if (name === undefined) {
  process.stdout.write("| client | TTFT off by, p50 | p99 | whole answer off by, p50 | p99 |\n")
  process.stdout.write("| --- | ---: | ---: | ---: | ---: |\n")
  for (let pass = 0; pass < Number(passesText); pass++)
    for (const contender of Object.keys(contenders)) {
      const args = [fileURLToPath(import.meta.url), roundsText, "1", contender]
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 + 10_000 * rounds })
      process.stdout.write(stdout)
    }
} else {
  const server = await startTruthServer(settings)
  const client = await contenders[name]!(server.baseUrl)
  const said = new Map<string, { readonly ttftMs: number; readonly e2eMs: number }>()
  let next = 0
  for (let round = 0; round <= rounds; round++)
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        const id = String(next++)
        const { sendMs, contentMs } = await client.ask(`truth ${id} ${prompt}`)
        // The first round opens connections and warms the code.
        if (round > 0) said.set(id, { ttftMs: contentMs[0]! - sendMs, e2eMs: contentMs.at(-1)! - sendMs })
      }),
    )
  const truth = await server.stamps()
  const ttft: number[] = []
  const e2e: number[] = []
  for (const [id, { ttftMs, e2eMs }] of said) {
    const { arrivalMs, sendMs } = truth.get(id)!
    ttft.push(Math.abs(ttftMs / (sendMs[0]! - arrivalMs) - 1))
    e2e.push(Math.abs(e2eMs / (sendMs.at(-1)! - arrivalMs) - 1))
  }
  const share = (values: readonly number[], at: number) =>
    `${(100 * quantileOfSorted(Float64Array.from(values).sort(), at)).toFixed(2)} %`
  const cells = [name, share(ttft, 0.5), share(ttft, 0.99), share(e2e, 0.5), share(e2e, 0.99)]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
  await client.close()
  await server.stop()
  process.exit(0)
}
