import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../../test/support/call-cli.ts"

/** How both variants are reached: two functions, two clients of one server, two names of one server that evalkit starts. */
export const paths = ["function", "http", "local"] as const

/** What happens to the times, whoever asks. */
export const conditions = ["steady", "drift", "cold start", "outliers", "cache hits"] as const

/** A run of two variants that are one. */
export interface SameRun {
  readonly path: (typeof paths)[number]
  readonly condition: (typeof conditions)[number]
  readonly seed: number
}

/** What the run said of the second. */
export interface Claims {
  readonly verdict: string
  /** What it was shown to be: `12 % faster`. */
  readonly gains: readonly string[]
  readonly losses: readonly string[]
}

const samples = 48
const script = fileURLToPath(new URL("server.mjs", import.meta.url))

/** One run through the command line, in a folder of its own. */
export async function runSame(run: SameRun): Promise<Claims> {
  const folder = mkdtempSync(join(tmpdir(), "evalkit-same-"))
  const server = run.path === "http" ? await startServer(run) : null
  try {
    const lines = Array.from({ length: samples }, (_, i) =>
      JSON.stringify({ id: `s${i}`, input: `question ${i}`, references: ["yes"] }),
    )
    writeFileSync(join(folder, "questions.jsonl"), lines.join("\n"))
    writeFileSync(
      join(folder, "eval.config.ts"),
      configOf(run, server?.url ?? `http://127.0.0.1:${await freePort()}/v1`),
    )
    const { stdout, stderr } = await callCli(["run", "--json", "--no-html"], { cwd: folder })
    if (stdout === "") throw new Error(`${run.path}, ${run.condition}, seed ${run.seed}: ${stderr}`)
    return claimsOf(JSON.parse(stdout) as RunReport)
  } finally {
    server?.child.kill()
    rmSync(folder, { recursive: true })
  }
}

function claimsOf({ comparisons, variants }: RunReport): Claims {
  const [comparison] = comparisons
  if (!comparison || variants.some(({ finished, planned }) => finished < planned))
    throw new Error("the run did not ask both")
  const proven = (comparison.changes ?? []).filter(({ isProven }) => isProven)
  const textsOf = (sign: number) => proven.filter(({ share }) => Math.sign(share) === sign).map(({ text }) => text)
  return { verdict: comparison.verdict, gains: textsOf(-1), losses: textsOf(1) }
}

function configOf({ path, condition, seed }: SameRun, url: string): string {
  const options = { model: "same", baseUrl: url, transport: "undici" }
  const client = `openai(${JSON.stringify({ ...options, apiKeyVariable: null })})`
  const started = {
    ...options,
    command: process.execPath,
    args: [script, new URL(url).port, condition, String(seed)],
    readiness: { url: new URL("/health", url).href },
  }
  const answer = `async ({ messages }) => {
  await new Promise((resolve) => setTimeout(resolve, timeOf(messages.at(-1).content)))
  return random() < 0.9 ? "yes" : "no!"
}`
  const [first, second] = {
    function: [`fromFunction(${answer}, { name: "one" })`, `fromFunction(${answer}, { name: "other" })`],
    http: [client, client],
    local: ["server", "server"],
  }[path]
  return `import { defineConfig } from "evalkit"
import { exactMatch } from "evalkit/metrics"
import { command, fromFunction, openai } from "evalkit/providers"
import { answerTimes, seeded } from ${JSON.stringify(script)}
const timeOf = answerTimes(${JSON.stringify(condition)}, ${seed})
const random = seeded(${seed} + 1)
const server = command(${JSON.stringify(started)})
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, date: "2026-11-01", source: "the benchmark" }
export default defineConfig({
  dataset: "questions.jsonl",
  metrics: [exactMatch()],
  margin: 0.3,
  seed: ${seed},
  concurrency: ${seed % 2 === 0 ? 4 : 1},
  cache: false,
  variants: [
    { name: "one", provider: ${first}, price },
    { name: "other", provider: ${second}, price },
  ],
})
`
}

async function startServer({
  condition,
  seed,
}: SameRun): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [script, "0", condition, String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer]
  return { child, url: line.toString().trim() }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
