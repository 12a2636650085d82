import { sameAnswers } from "../analyse/compare/same-answers.ts"
import type { Generation } from "../core/generation.ts"
import type { Check } from "../core/report/report.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Variant } from "../core/variant.ts"
import { equalityCheck } from "../wording/same-answers.ts"

/** Answers of a variant that are looked at: a larger run says no more for the memory that it takes. */
const maxAnswers = 5000

/** Of candidates that differ from the baseline by their provider only: whether both give the same answers, a check each. */
export async function sameModelChecks(
  { id, baseline, seed, alpha }: RunRecord,
  store: Pick<RunStore, "generations">,
  { variants }: Pick<Evaluation, "variants">,
): Promise<Check[]> {
  const before = variants.find(({ name }) => name === baseline)
  if (!before) return []
  const checks: Check[] = []
  for (const after of variants.filter((variant) => isTwin(before, variant))) {
    const side = ({ name }: Variant) => ({ name, answers: first(store.generations(id, name, "sample")) })
    checks.push(equalityCheck(await sameAnswers([side(before), side(after)], { seed, alpha })))
  }
  return checks
}

/** The same model, asked the same way, of somebody else. */
function isTwin(variant: Variant, other: Variant): boolean {
  const asked = ({ provider, prompt, parameters, episode }: Variant) =>
    JSON.stringify([modelName(provider.model), provider.quantization, prompt.identity, parameters, episode?.identity])
  return variant.provider.endpoint !== other.provider.endpoint && asked(variant) === asked(other)
}

/** `meta-llama/Llama-3.3-70B` and `llama-3.3-70b` are one. */
function modelName(model: string): string {
  return model.toLowerCase().replace(/^.*\//, "")
}

function* first(answers: Iterable<Generation>): Generator<Generation> {
  let count = 0
  for (const answer of answers) {
    if (count++ === maxAnswers) return
    yield answer
  }
}
