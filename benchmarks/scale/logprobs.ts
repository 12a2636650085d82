/**
 * Memory of a run whose answers have many log-probabilities, killed in the middle and resumed, through `evalkit run` against a server on
 * loopback. Run: npm run build && npx jiti benchmarks/scale/logprobs.ts [ANSWERS TOKENS ALTERNATIVES] (Linux)
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRandom } from "../../src/core/random.ts"

const [answers = 500, tokens = 8000, alternatives = 20] = process.argv.slice(2).map(Number)
const root = fileURLToPath(new URL("../..", import.meta.url))
const cli = join(root, "dist/src/cli/bin.js")

const random = createRandom("logprobs")
/** The body of every answer: a token an event, each with its alternatives. */
const body = Buffer.from(
  [
    ...Array.from({ length: tokens }, (_, i) => {
      const top = Array.from({ length: alternatives }, (_, k) => ({
        token: ` w${((i * 7 + k) % 5000).toString(36)}`,
        logprob: -0.001 - k * 0.31 - random.next() / 10,
      }))
      const delta = { content: top[0]?.token }
      return { choices: [{ index: 0, delta, logprobs: { content: [{ ...top[0], top_logprobs: top }] } }] }
    }),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: tokens, total_tokens: tokens + 10 } },
  ]
    .map((event) => `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", model: "m", ...event })}\n\n`)
    .concat("data: [DONE]\n\n")
    .join(""),
)

let answered = 0
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    if (request.method === "GET") return response.end("{}")
    response.setHeader("content-type", "text/event-stream")
    response.end(body, () => answered++)
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const folder = mkdtempSync(join(tmpdir(), "evalkit-logprobs-"))
try {
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(root, join(folder, "node_modules", "evalkit"))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { answerPerplexity, defineConfig, inline, openai, variant } from "evalkit"
export default defineConfig({
  dataset: inline(Array.from({ length: ${answers} }, (_, i) => ({ id: "s" + i, input: "question " + i, reference: "yes" }))),
  variants: [variant({
    name: "a",
    provider: openai({ model: "m", baseUrl: "http://127.0.0.1:${(server.address() as AddressInfo).port}/v1", apiKeyVariable: null }),
    parameters: { topLogprobs: ${alternatives}, maxTokens: ${tokens} },
  })],
  metrics: [answerPerplexity()],
  concurrency: 4,
})
`,
  )
  console.log(
    `${answers} answers of ${tokens} tokens × ${alternatives}, ${(body.length / 1e6).toFixed(1)} MB each as sent`,
  )
  report("run, killed in the middle", await measured(["run"], () => answered >= answers / 2))
  report("run --resume, with the page", await measured(["run", "--resume"]))
  console.log(
    `store: ${(statSync(join(folder, ".evalkit/evalkit.db")).size / 1e6).toFixed(0)} MB; requests answered: ${answered}`,
  )
} finally {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}

interface Measured {
  readonly end: string | number
  readonly seconds: number
  readonly peakMebibytes: number
}

function report(what: string, { end, seconds, peakMebibytes }: Measured): void {
  console.log(`${what}: ${end}, ${seconds.toFixed(0)} s, at most ${peakMebibytes.toFixed(0)} MiB`)
}

/** Runs a command, killed with SIGKILL once `isEnough`, and reads its highest resident memory. */
function measured(args: readonly string[], isEnough?: () => boolean): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
    let peakMebibytes = 0
    const timer = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
        peakMebibytes = Math.max(peakMebibytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      } catch {
        // It has just ended.
      }
      if (isEnough?.()) child.kill("SIGKILL")
    }, 50)
    child.once("error", reject)
    child.once("exit", (code, signal) => {
      clearInterval(timer)
      resolve({ end: signal ?? `exit ${code}`, seconds: (performance.now() - started) / 1000, peakMebibytes })
    })
  })
}
