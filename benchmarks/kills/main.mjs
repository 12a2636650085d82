// Kills `evalkit run` again and again, at seeded moments of every stage, resumes it, and counts what was lost, doubled or paid
// for twice: `node benchmarks/kills/main.mjs [kills] [seed]` after `npm run build`. The server counts; the store is read after.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const kills = Number(process.argv[2] ?? 40)
const seed = Number(process.argv[3] ?? 1)
const samples = 60
const concurrency = 4
const cli = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))

let state = seed >>> 0
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0
  let t = Math.imul(state ^ (state >>> 15), state | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

/** How often each question was asked, and how often its answer was sent in full. */
const asked = new Map()
const count = (key) => asked.set(key, (asked.get(key) ?? 0) + 1)
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => (body += chunk))
  request.on("end", () => {
    if (request.method === "GET") return response.end("{}")
    const { messages, model } = JSON.parse(body)
    const text = messages.at(-1).content
    count(`${model} ${model === "judge" ? text.replace(/<<<\S+/g, "") : text}`)
    setTimeout(() => {
      response.setHeader("content-type", "text/event-stream")
      const event = (fields) => response.write(`data: ${JSON.stringify({ id: "1", model, ...fields })}\n\n`)
      const answer = model === "judge" ? '{"reason":"as asked","choice":"yes"}' : `${text} by ${model}`
      event({ choices: [{ index: 0, delta: { role: "assistant", content: answer } }] })
      event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
      event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })
      response.end("data: [DONE]\n\n")
    }, 15)
  })
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const baseUrl = `http://127.0.0.1:${server.address().port}/v1`

const totals = { kills: 0, runs: 0, answers: 0, lost: 0, doubled: 0, judgeCalls: 0, askedAgain: 0, mostAgainPerKill: 0 }
while (totals.kills < kills) await oneRun()
server.close()
console.log(`| what | number |\n| --- | ---: |`)
for (const [name, value] of Object.entries(totals)) console.log(`| ${name} | ${value} |`)
process.exit(totals.lost + totals.doubled === 0 && totals.mostAgainPerKill <= concurrency ? 0 : 1)

async function oneRun() {
  asked.clear()
  const folder = mkdtempSync(join(tmpdir(), "evalkit-kills-"))
  try {
    const rows = Array.from({ length: samples }, (_, i) => ({
      id: `s${i}`,
      input: `text ${i}`,
      reference: `text ${i}`,
    }))
    writeFileSync(join(folder, "data.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    const price = `{ kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: null, source: "test", date: "2026-01-01" }`
    writeFileSync(
      join(folder, "eval.config.ts"),
      `import { dataset, defineConfig, exactMatch, openai, rubric, rubrics, variant } from "evalkit"
const at = (model: string) => openai({ model, baseUrl: "${baseUrl}", apiKeyVariable: null, price: ${price} })
export default defineConfig({
  dataset: dataset("data.jsonl"), concurrency: ${concurrency},
  variants: ["a", "b"].map((name) => variant({ name, provider: at(name) })),
  metrics: [exactMatch(), rubric({ provider: at("judge"), rubric: rubrics.yesOrNo })],
})\n`,
    )
    let killsHere = 0
    for (;;) {
      const may = totals.kills < kills && killsHere < 8
      // From before the first request to the end of the page.
      const ended = await run(folder, may ? 300 + random() * 3200 : null)
      if (ended === 0) break
      killsHere++
      totals.kills++
    }
    const report = JSON.parse(await read(["report", "--json"], folder))
    const again = [...asked.values()].reduce((sum, times) => sum + times - 1, 0)
    totals.runs++
    for (const variant of report.variants) {
      totals.answers += variant.outcomes.ok
      totals.lost += samples - variant.outcomes.ok
      totals.doubled += Math.max(0, variant.finished - samples)
      totals.judgeCalls += variant.cost.judgeUsd.n
      const wanted = (samples * 5) / 1e6
      if (Math.abs(variant.cost.totalUsd.value - wanted) > 1e-12) totals.lost++
    }
    totals.askedAgain += again
    totals.mostAgainPerKill = Math.max(totals.mostAgainPerKill, killsHere === 0 ? again * 1e9 : again / killsHere)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(folder, killAfterMs) {
  const resumable = (await read(["runs", "--json"], folder).catch(() => "[]")).includes('"id"')
  const child = spawn(process.execPath, [cli, "run", ...(resumable ? ["--resume"] : [])], {
    cwd: folder,
    stdio: "ignore",
  })
  const timer = killAfterMs === null ? null : setTimeout(() => child.kill("SIGKILL"), killAfterMs)
  const [code, signal] = await new Promise((resolve) => child.once("exit", (...end) => resolve(end)))
  clearTimeout(timer)
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`evalkit run ended with ${code ?? signal}`)
  return signal === "SIGKILL" ? null : code
}

async function read(args, folder) {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
  let text = ""
  for await (const chunk of child.stdout) text += chunk
  return text
}
