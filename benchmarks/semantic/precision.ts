import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { bertScore } from "../../metrics/semantic/bert-score.ts"
import { embeddingSimilarity } from "../../metrics/semantic/embedding-similarity.ts"
import { compareVariants } from "../../src/analyse/compare/compare.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import { columnMetric } from "../../src/rows/column-metric.ts"
import { foreignVariant } from "../../src/rows/foreign-variant.ts"
import { scoreOf } from "../../test/metrics/lexical-fixtures.ts"
import { paraphrases, realModel } from "../../test/metrics/semantic/model.ts"
import { distinctSentences } from "./sentences.ts"

/**
 * The embedder itself as what is swapped: fp32 against int8 and int4, each in a process of its own, on 64 paraphrases and 64
 * unrelated pairs; the scores are compared by evalkit's own paired comparison.
 *
 * node --import jiti/register benchmarks/semantic/precision.ts
 */
const columns = ["embeddingSimilarity", "bertScore"] as const
const dtypes = ["fp32", "int8", "int4"] as const
type Dtype = (typeof dtypes)[number]
interface Measured {
  readonly megabytes: number
  readonly perSecond: number
  readonly rows: readonly ({ readonly id: string } & Readonly<Record<(typeof columns)[number], number>>)[]
}

const [precision] = process.argv.slice(2) as Dtype[]
if (precision) process.stdout.write(JSON.stringify(await measure(precision)))
else await compareAll()

async function compareAll(): Promise<void> {
  const measured = new Map(dtypes.map((dtype) => [dtype, inOwnProcess(dtype)]))
  const variant = async (dtype: Dtype) => {
    const rows = measured.get(dtype)?.rows.map((row) => ({ row, where: row.id })) ?? []
    return (await foreignVariant(dtype, rows, { id: ["id"], on: columns })).scored
  }
  for (const [dtype, { megabytes, perSecond }] of measured)
    console.log(`${dtype}: ${Math.round(perSecond)} sentences/s, ${Math.round(megabytes)} MB of memory for the model`)
  const baseline = await variant("fp32")
  const metrics = columns.map((name) => columnMetric(name, { rate: false }))
  for (const dtype of ["int8", "int4"] as const) {
    const candidate = await variant(dtype)
    const options = { baseline, candidate, metrics, primary: columns, margin: 0.01, alpha: 0.05, seed: 1 }
    for (const finding of compareVariants(options).metrics) console.log(finding.sentence)
    for (const column of columns)
      console.log(`  ${column}, largest change of one score: ${largestChange(dtype, column)}`)
  }

  function largestChange(dtype: Dtype, column: (typeof columns)[number]): string {
    const exact = measured.get("fp32")?.rows ?? []
    const changes = measured.get(dtype)?.rows.map((row, i) => Math.abs(row[column] - (exact[i]?.[column] as number)))
    return Math.max(...(changes ?? [])).toFixed(3)
  }
}

function inOwnProcess(dtype: Dtype): Measured {
  const command = [...process.execArgv, fileURLToPath(import.meta.url), dtype]
  return JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" })) as Measured
}

async function measure(dtype: Dtype): Promise<Measured> {
  const before = process.memoryUsage.rss()
  const embedder = realModel({ dtype })
  await embedder.embed(["warm"])
  const texts = distinctSentences(256)
  const started = performance.now()
  await embedder.embed(texts)
  const perSecond = (1000 * texts.length) / (performance.now() - started)
  const megabytes = (process.memoryUsage.rss() - before) / 1e6
  const scores: readonly AnyMetric[] = [embeddingSimilarity({ embedder }), bertScore({ embedder })]
  const rows = []
  for (const shift of [0, 7])
    for (const [i, { text }] of paraphrases.entries()) {
      const other = paraphrases[(i + shift) % paraphrases.length]?.paraphrase as string
      const values = await Promise.all(scores.map((metric) => scoreOf(metric, text, [other])))
      rows.push({ id: `${shift}-${i}`, embeddingSimilarity: Number(values[0]), bertScore: Number(values[1]) })
    }
  await embedder.close()
  return { megabytes, perSecond, rows }
}
