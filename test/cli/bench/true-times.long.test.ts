import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { quantileOfSorted } from "../../../src/perf/percentile.ts"
import { runCli } from "../../support/cli.ts"

/** What the server wrote down of a request, in milliseconds of its own clock. */
interface Truth {
  readonly arrivalMs: number
  readonly sentMs: readonly number[]
}

let server: ChildProcess
let origin = ""
beforeAll(async () => {
  const script = fileURLToPath(new URL("./scheduled-server.mjs", import.meta.url))
  server = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] })
  const [port] = await once(server.stdout as NonNullable<ChildProcess["stdout"]>, "data")
  origin = `http://127.0.0.1:${String(port).trim()}`
})
afterAll(() => void server.kill("SIGKILL"))

const percents = [50, 90, 95, 99] as const
type Reported = Readonly<Record<`p${(typeof percents)[number]}`, number>>

/** A level as `evalkit bench --json` prints it. */
interface Level {
  readonly requests: number
  readonly ok: number
  readonly valid: boolean | null
  readonly doubtful: readonly unknown[]
  readonly client_error: { readonly ttft_ms_p99: number; readonly itl_ms_p99: number }
  readonly ttft_ms: Reported
  readonly itl_ms: Reported
  readonly e2e_ms: Reported
}

async function bench(
  ...load: readonly string[]
): Promise<{ readonly level: Level; readonly truths: readonly Truth[] }> {
  const args = ["bench", "--url", `${origin}/v1`, "--model", "m", "--requests", "150", ...load, "--json"]
  const { stdout } = await runCli(args, { cwd: tmpdir() })
  const [level] = JSON.parse(stdout) as readonly [Level]
  const all = (await (await fetch(`${origin}/stamps`)).json()) as readonly Truth[]
  // What was sent to warm up came before.
  return { level, truths: all.slice(-level.requests) }
}

/** Figures that are further from the truth than they may be. */
function wrongBy(name: string, reported: Reported, truth: readonly number[], statedMs: number): readonly string[] {
  const sorted = Float64Array.from(truth).sort()
  return percents.flatMap((percent) => {
    const trueMs = quantileOfSorted(sorted, percent / 100)
    const offMs = Math.abs(reported[`p${percent}`] - trueMs)
    const says = `${name} p${percent} is off by ${offMs.toFixed(3)} ms, and ${statedMs.toFixed(3)} ms were stated`
    return offMs <= statedMs ? [] : [says]
  })
}

describe("what evalkit bench reports of a server whose times are known", () => {
  it.each([
    ["a closed loop", ["--concurrency", "12"]],
    ["an open loop", ["--rate", "40"]],
  ])(
    "is off by no more than the error that it states, in %s; or it says that the level is invalid",
    async (_, load) => {
      const { level, truths } = await bench(...load)
      expect([level.requests, level.ok, truths.length]).toEqual([150, 150, 150])
      if (level.valid === false) {
        expect(level.doubtful).not.toEqual([])
        return
      }
      const { ttft_ms_p99, itl_ms_p99 } = level.client_error
      const gaps = truths.flatMap(({ sentMs }) => sentMs.slice(1).map((at, i) => at - (sentMs[i] as number)))
      expect([
        ...wrongBy(
          "TTFT",
          level.ttft_ms,
          truths.map(({ arrivalMs, sentMs }) => (sentMs[0] as number) - arrivalMs),
          ttft_ms_p99,
        ),
        ...wrongBy("ITL", level.itl_ms, gaps, itl_ms_p99),
        ...wrongBy(
          "E2E",
          level.e2e_ms,
          truths.map(({ arrivalMs, sentMs }) => (sentMs.at(-1) as number) - arrivalMs),
          ttft_ms_p99,
        ),
      ]).toEqual([])
    },
  )
})
