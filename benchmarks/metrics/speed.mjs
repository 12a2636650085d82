// Pairs per CPU second of evalkit's lexical metrics and of other JavaScript packages, in one run on distinct pairs.
// npm run build && node benchmarks/metrics/speed.mjs [pairs]

import { bleu, chrf, editDistance, meteor, rouge, ter } from "../../dist/src/index.js"
import { makePairs } from "./pairs.mjs"
import { loadPeers } from "./peers.mjs"

const rounds = 5
const count = Number(process.argv[2] ?? 5000)
const pairs = [...makePairs(count)]
const peers = await loadPeers()

const rouges = [rouge({ type: "rouge1" }), rouge({ type: "rouge2" }), rouge({ type: "rougeL" })]
const stemmed = ["rouge1", "rouge2", "rougeL"].map((type) => rouge({ type, stem: true }))
const cases = [
  ["corpus BLEU", "evalkit", corpus(bleu())],
  ["sentence BLEU", "bleu-score", ([output, reference]) => peers.bleu(reference, output, 4), 500],
  ["ROUGE-1, -2 and -L", "evalkit", each(...rouges)],
  ["ROUGE-1, -2 and -L, stemmed", "evalkit", each(...stemmed)],
  ["ROUGE-1, -2 and -L", "js-rouge", jsRouge, 200],
  ["METEOR", "evalkit", each(meteor())],
  ["chrF", "evalkit", each(chrf())],
  ["TER", "evalkit", each(ter()), 1000],
  ...[24, 64, 240, 1000, 4000].flatMap((length) => [
    [`Levenshtein, ${length} characters`, "evalkit", cut(length, each(editDistance())), 1e6 / length],
    [`Levenshtein, ${length} characters`, "autoevals", cut(length, autoevals), 2e5 / length],
  ]),
  ["Levenshtein", "natural", ([output, expected]) => peers.naturalLevenshtein(output, expected), 50],
]

process.stdout.write(`| metric | package | pairs per CPU second |\n| --- | --- | ---: |\n`)
for (const [metric, name, work, pairsOfCase = count] of cases) {
  const chosen = pairs.slice(0, Math.ceil(Math.min(count, pairsOfCase)))
  const speeds = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (const pair of chosen) {
      const pending = work(pair)
      if (pending instanceof Promise) await pending
    }
    work.finish?.()
    const { user, system } = process.cpuUsage(before)
    speeds.push(chosen.length / ((user + system) / 1e6))
  }
  const median = speeds.sort((a, b) => a - b)[Math.floor(rounds / 2)]
  process.stdout.write(`| ${metric} | ${name} | ${Math.round(median).toLocaleString("en")} |\n`)
}

function each(...metrics) {
  return ([text, reference]) => {
    let pending
    for (const metric of metrics) {
      const measured = metric.measure({ references: [reference] }, { text })
      if (measured instanceof Promise) pending = measured
    }
    return pending
  }
}

/** The work on texts of one length: each pair is joined with those after it, and cut off. */
function cut(length, work) {
  const joined = (first, side) => {
    let text = ""
    for (let i = first; text.length < length; i++) text += pairs[i % count][side]
    return text.slice(0, length)
  }
  const prepared = Array.from({ length: Math.ceil(1e6 / length) }, (_, i) => [joined(i, 0), joined(i, 1)])
  let next = 0
  return () => work(prepared[next++ % prepared.length])
}

function autoevals([output, expected]) {
  return peers.Levenshtein({ output, expected })
}

function corpus(metric) {
  let rows = []
  const work = ([text, reference]) => {
    rows.push(metric.measure({ references: [reference] }, { text }))
  }
  work.finish = () => {
    metric.summarise(rows.map(({ row }, i) => ({ row, sampleId: String(i), repeat: 0 })))
    rows = []
  }
  return work
}

function jsRouge([output, reference]) {
  peers.rouge.n(output, reference, { n: 1 })
  peers.rouge.n(output, reference, { n: 2 })
  peers.rouge.l(output, reference)
}
