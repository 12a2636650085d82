// Time and memory of `evalkit score` by the number of rows, and what worker threads gain.
// npm run build && node benchmarks/metrics/score.mjs [most rows, 1000000 by default]

import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { makePairs } from "./pairs.mjs"

const most = Number(process.argv[2] ?? 1_000_000)
const cli = fileURLToPath(new URL("../../dist/src/cli/bin.js", import.meta.url))
const preload = new URL("./usage.mjs", import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), "evalkit-score-"))

try {
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules", "evalkit"))
  config("two", "bleu, rouge", "bleu(), rouge()")
  config(
    "six",
    "bleu, chrf, meteor, rouge, ter",
    'bleu(), chrf({ wordOrder: 2 }), ter(), rouge({ type: "rouge1", stem: true }), rouge(), meteor({ synonyms: false })',
  )
  print("rows", "CPU s", "rows per CPU s", "peak memory, MiB")
  print("---:", "---:", "---:", "---:")
  for (let rows = 10_000; rows <= most; rows *= 10) {
    await writeRows(rows)
    const { cpuMs, peakKb } = score("two", 0)
    print(rows.toLocaleString("en"), seconds(cpuMs), Math.round((rows / cpuMs) * 1000), Math.round(peakKb / 1024))
  }
  process.stdout.write("\n")
  const rows = Math.min(most, 100_000)
  await writeRows(rows)
  print("threads", "wall s", "CPU s", "rows per second")
  print("---", "---:", "---:", "---:")
  const outputs = [0, availableParallelism()].map((workers) => {
    const { wallMs, cpuMs, out } = score("six", workers)
    const threads = workers === 0 ? "one" : `${workers} workers`
    print(threads, seconds(wallMs), seconds(cpuMs), Math.round((rows / wallMs) * 1000))
    return out
  })
  if (outputs[0] !== outputs[1]) throw new Error("the figures differ")
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function config(name, imports, metrics) {
  const text = `import { defineConfig, ${imports} } from "evalkit"\nexport default defineConfig({ metrics: [${metrics}] })\n`
  writeFileSync(join(folder, `${name}.config.ts`), text)
}

async function writeRows(count) {
  const stream = createWriteStream(join(folder, "rows.jsonl"))
  let id = 0
  for (const [output, reference] of makePairs(count, { shortest: 8, longest: 23 }))
    if (!stream.write(`${JSON.stringify({ id: `s${id++}`, output, references: [reference] })}\n`))
      await once(stream, "drain")
  stream.end()
  await once(stream, "close")
}

function score(name, workers) {
  const usage = join(folder, "usage.json")
  const args = ["score", "rows.jsonl", "--config", `${name}.config.ts`, "--json", "--workers", String(workers)]
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, cli, ...args], {
    cwd: folder,
    env: { ...process.env, EVALKIT_USAGE_FILE: usage },
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(stderr)
  return { ...JSON.parse(readFileSync(usage, "utf8")), out: stdout }
}

function print(...cells) {
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
}

function seconds(ms) {
  return (ms / 1000).toFixed(1)
}
