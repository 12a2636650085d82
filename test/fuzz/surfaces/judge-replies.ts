import fc from "fast-check"
import { bestOf } from "../../../judges/best-of.ts"
import { checklist } from "../../../judges/checklist.ts"
import type { Judge } from "../../../judges/judge.ts"
import { pairwise } from "../../../judges/pairwise.ts"
import { panel } from "../../../judges/panel.ts"
import { referenceGuided } from "../../../judges/reference-guided.ts"
import { rubric } from "../../../judges/rubric-judge.ts"
import * as rubrics from "../../../judges/rubrics/all.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { foreignGeneration } from "../../../src/text/reading/foreign-generation.ts"
import { fakeJudge, fakeTools } from "../../judges/support.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { faultOf } from "../faults.ts"
import { byteEdits, editBytes, editJson, jsonEdits, junk, texts } from "../inputs.ts"
import { surface } from "../surface.ts"

const sample: Sample = {
  id: "s1",
  input: "What is the capital of France?",
  references: ["Paris"],
  context: ["Paris is the capital of France."],
  choices: [],
  expectedTools: [],
  metadata: {},
}
const generation = foreignGeneration({ sampleId: "s1", text: "Paris" })

const forms = [
  ...Object.values(rubrics).filter((entry) => typeof entry === "object" && "instructions" in entry),
  ...(["pairwise", "bestOf", "checklist", "panel", "referenceGuided"] as const),
]

const usual = ["yes", "no", "1", "5", "A", "tie", "correct", "3.5", "1.0", "faithful", "cannot tell"]

/** Replies of judges to every form of question. */
export const judgeReplies = surface(
  "judges' replies",
  10,
  () => {
    const object = fc
      .tuple(fc.constantFrom(...usual), jsonEdits(2))
      .map(
        ([verdict, edits]) =>
          JSON.stringify(editJson({ reason: "because", verdict, answers: ["yes", "no"] }, edits)) ?? "",
      )
    const reply = fc.oneof(
      { weight: 3, arbitrary: object },
      {
        weight: 2,
        arbitrary: fc.tuple(object, texts).map(([name, text]) => `${text}\n\`\`\`json\n${name}\n\`\`\`${text}`),
      },
      { weight: 2, arbitrary: fc.tuple(object, object).map((both) => both.join("\n")) },
      {
        weight: 2,
        arbitrary: fc.tuple(object, byteEdits()).map(([name, edits]) => editBytes(Buffer.from(name), edits).toString()),
      },
      { weight: 1, arbitrary: texts },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "{".repeat(60_000),
          '{"verdict":'.repeat(5000),
          '"'.repeat(60_000),
          "[".repeat(60_000),
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom(...usual).map((verdict) => `Verdict: ${verdict}`) },
    )
    const logprobs = fc.option(
      fc.array(
        fc.record({
          token: texts,
          logprob: fc.constantFrom(-0.1, 0, 3, -1e308),
          top: fc.constant([{ token: "1", logprob: -1 }]),
        }),
        { maxLength: 4 },
      ),
    )
    return fc.record({ form: fc.nat(forms.length - 1), reply, logprobs, server: junk })
  },
  ({ form, reply, logprobs }) => {
    const provider = fakeJudge(() => fakeAnswer(reply, "ok", { logprobs }))
    const judge = judgeOf(forms[form]!, provider)
    return faultOf(async () => {
      const measured = await judge.measure(sample, generation, fakeTools())
      if (measured.status === "unscored" && measured.reason.trim() === "") throw new Error("unscored without a reason")
      JSON.stringify(measured)
      if (measured.status === "unscored") return
      const { value } = judge.summarise([{ row: measured.row, sampleId: "s1", repeat: 0 }]) as { value: number | null }
      const [low, high] = judge.range
      if (
        value !== null &&
        !(value >= (low ?? Number.NEGATIVE_INFINITY) && value <= (high ?? Number.POSITIVE_INFINITY))
      )
        throw new Error(`a score of ${value} outside of ${low}..${high}`)
    })
  },
)

function judgeOf(form: (typeof forms)[number], provider: ReturnType<typeof fakeJudge>): Judge {
  if (form === "pairwise") return pairwise({ provider, against: "reference" })
  if (form === "bestOf") return bestOf({ provider, others: () => ["Rome", "Oslo"], rotations: 2 })
  if (form === "checklist") return checklist({ provider, items: ["Is it a city?", "Is it in France?"] })
  if (form === "panel")
    return panel([1, 2, 3].map((i) => rubric({ provider, rubric: rubrics.correctness, judge: `j${i}` }))) as Judge
  if (form === "referenceGuided") return referenceGuided({ provider })
  return rubric({ provider, rubric: form as (typeof rubrics)["correctness"] })
}
