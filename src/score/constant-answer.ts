import { createTurns, type Turns } from "../core/interruption.ts"
import type { AnyMetric, MetricRow } from "../core/metric/metric.ts"
import type { ConstantRows } from "../core/report/constant-answer.ts"
import { type Sample, splitOf } from "../core/sample.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"
import { measureSafely } from "./measure-safely.ts"
import { needReference, offlineTools } from "./needs-reference.ts"

/**
 * The best constant answer by each metric that compares with references: the most frequent one, or the letter of the choice that is most often
 * right (scikit-learn's DummyClassifier, `most_frequent`). Absent where no reference occurs twice, all samples have the same, or a metric cannot be
 * tried with an answer that nobody gave (see {@link needReference}).
 *
 * @param samples gives them anew at each call; their texts are not kept
 */
export async function constantAnswers(
  metrics: readonly AnyMetric[],
  samples: () => Iterable<Sample>,
  turn: Turns = createTurns(),
): Promise<ReadonlyMap<string, ConstantRows>> {
  const best = new Map<string, ConstantRows>()
  const [first] = samples()
  if (!first) return best
  const { label: _, ...unlabelled } = first
  const names = await needReference(metrics, { ...unlabelled, references: [] })
  const tried = metrics.filter(({ name, direction }) => names.includes(name) && direction === "higher")
  if (tried.length === 0) return best
  const figures = new Map<string, number>()
  for (const answer of frequentAnswers(samples()))
    for (const metric of tried) {
      const rows = await rowsOfAnswer(metric, answer, samples(), turn)
      const entries = rows.flatMap(({ measured, ...row }) =>
        measured.status === "scored" ? [{ ...row, row: measured.row }] : [],
      )
      const { value } = metric.summarise(entries)
      // What is right everywhere leaves nothing to tell apart.
      if (value === null || value >= metric.range[1] || value <= (figures.get(metric.name) ?? 0)) continue
      figures.set(metric.name, value)
      best.set(metric.name, { answer, rows })
    }
  return best
}

/** The most frequent reference or label, and the most frequent letter of a right choice. */
function frequentAnswers(samples: Iterable<Sample>): readonly string[] {
  const counts = new Map<string, number>()
  const letters = new Map<string, number>()
  let total = 0
  for (const { references, label, choices } of samples) {
    const texts = new Set([...references, ...(typeof label === "string" ? [label] : [])].map((text) => text.trim()))
    total += Number(texts.size > 0)
    for (const text of texts) {
      counts.set(text, (counts.get(text) ?? 0) + 1)
      const choice = choices.findIndex((entry) => entry.trim() === text)
      if (choice < 0 || choice >= 26) continue
      const letter = String.fromCharCode(65 + choice)
      letters.set(letter, (letters.get(letter) ?? 0) + 1)
    }
  }
  return [...new Set([counts, letters].flatMap((counter) => modesOf(counter, total)))]
}

/** None where nothing occurs twice, or one is right everywhere. */
function modesOf(counts: ReadonlyMap<string, number>, total: number): readonly string[] {
  let [text, most] = ["", 1]
  for (const [value, count] of counts) if (count > most) [text, most] = [value, count]
  return text === "" || most === total ? [] : [text]
}

async function rowsOfAnswer(
  metric: AnyMetric,
  text: string,
  samples: Iterable<Sample>,
  turn: Turns,
): Promise<readonly MetricRow[]> {
  const rows: MetricRow[] = []
  const generation = foreignGeneration({ sampleId: "", text })
  for (const sample of samples) {
    const wait = turn()
    if (wait) await wait
    const started = measureSafely(metric, sample, { ...generation, sampleId: sample.id }, offlineTools)
    rows.push({
      sampleId: sample.id,
      repeat: 0,
      ...splitOf(sample),
      ...(started instanceof Promise ? await started : started),
    })
  }
  return rows
}
