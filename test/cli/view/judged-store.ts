import { panel } from "../../../judges/panel.ts"
import { rubric } from "../../../judges/rubric-judge.ts"
import { correctness } from "../../../judges/rubrics/correctness.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { judgedRun } from "../../judges/judged-run.ts"
import { fakeJudge, lastUserText, says } from "../../judges/support.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"

/**
 * Makes a run of two variants and twelve questions in a store, whose two judges disagree on answers that say "maybe".
 *
 * @returns the run's id
 */
export async function seedJudgedStore(
  directory: string,
  answer: (sampleId: string, variant: string) => string = (sampleId, variant) =>
    sampleId === "s3" || sampleId === "s7" ? `maybe ${variant}` : `sure ${variant} ${sampleId}`,
): Promise<string> {
  const store = openRunStore(directory)
  try {
    const rows = Array.from({ length: 12 }, (_, i) => ({ id: `s${i}`, input: `question ${i}`, reference: `r${i}` }))
    const answers = (odd: string) =>
      fakeProvider(`model-${odd}`, (_request, { sampleId }) => fakeAnswer(answer(sampleId ?? "", odd)))
    const lenient = fakeJudge(() => says("yes"), "lenient")
    const strict = fakeJudge((request) => says(lastUserText(request).includes("maybe") ? "no" : "yes"), "strict")
    const judges = [lenient, strict].map((provider) => rubric({ provider, rubric: correctness }))
    const { record } = await judgedRun({
      store,
      cacheDirectory: directory,
      variants: { "variant-one": answers("x"), "variant-two": answers("y") },
      metric: panel(judges, { name: "judged" }),
      rows,
    })
    return record.id
  } finally {
    store.close()
  }
}
