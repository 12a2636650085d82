import type { Dataset } from "../../src/core/dataset.ts"
import { UsageError } from "../../src/core/errors.ts"
import { contentHash } from "../../src/core/json.ts"
import type { Sample } from "../../src/core/sample.ts"

/**
 * BBQ as its authors publish it (`context`, `question`, `ans0` to `ans2`, `label`), as multiple-choice questions: the context and the
 * question with the three answers as A, B and C. Samples of one template (`category` and `question_index`) share a cluster. The
 * metric `bbq` reads the rest of the row.
 *
 * @throws UsageError while reading, for a row without these columns
 * @example bbqQuestions(dataset("Age.jsonl"))
 * @public
 */
export function bbqQuestions(dataset: Dataset): Dataset {
  return {
    name: `${dataset.name}, questions`,
    source: dataset.source,
    async *samples(signal) {
      for await (const sample of dataset.samples(signal)) yield questionOf(sample, dataset.source)
    },
    fingerprint: async () => contentHash({ of: await dataset.fingerprint(), as: "BBQ questions" }),
    skipped: () => dataset.skipped(),
    resolveFrom: (directory) => bbqQuestions(dataset.resolveFrom?.(directory) ?? dataset),
  }
}

function questionOf(sample: Sample, where: string): Sample {
  const { metadata, context, input, id } = sample
  const choices = [metadata.ans0, metadata.ans1, metadata.ans2].filter((x): x is string => typeof x === "string")
  const right = choices[Number(sample.label ?? metadata.label)]
  if (typeof input !== "string" || context.length === 0 || choices.length !== 3 || right === undefined)
    throw new UsageError(`the row "${id.slice(0, 80)}" is no question of BBQ`, {
      where,
      hint: "columns context, question, ans0, ans1, ans2 and label",
    })
  const options = choices.map((choice, i) => `${"ABC"[i]}. ${choice}`).join("\n")
  const { category, question_index: template } = metadata
  return {
    ...sample,
    input: `${context.join(" ")} ${input}\n\n${options}\n\nAnswer with one letter.`,
    choices,
    references: [right],
    ...(sample.cluster === undefined &&
      typeof category === "string" &&
      template !== undefined && { cluster: `${category}/${String(template)}` }),
  }
}
