import { expect, it } from "vitest"
import type { Answer, Generation } from "../../../src/core/generation.ts"
import { saveAnswer } from "../../../src/run/generate/save-answer.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"

type Run = Parameters<typeof saveAnswer>[0]
type Phase = Parameters<typeof saveAnswer>[1]

const call = { variant: "a", sampleId: "s1", repeat: 2, position: 7, order: 0 }

async function saved(answer: Answer): Promise<Generation> {
  const kept: Generation[] = []
  const store = { saveGeneration: (_run: string, generation: Generation) => kept.push(generation) }
  const run = { store, record: { id: "r" }, worker: null } as unknown as Run
  const commit = { save: (write: () => void) => Promise.resolve(write()) }
  const phase = { variant: { price: null }, segment: 3, observer: { callSaved() {} }, commit } as unknown as Phase
  await saveAnswer(run, phase, { call, earlier: null, source: "measured" }, { answer, retries: [] })
  return kept[0] as Generation
}

it("keeps an answer under its own call, whatever else its provider put into it", async () => {
  const foreign = { variant: "b", sampleId: "s9", repeat: 0, position: 0, segment: 9, source: "recorded", cost: null }
  const generation = await saved({ ...fakeAnswer("yes"), ...foreign } as Answer)
  expect(generation).toMatchObject({
    text: "yes",
    variant: "a",
    sampleId: "s1",
    repeat: 2,
    position: 7,
    segment: 3,
    source: "measured",
    retries: [],
  })
  expect(generation.cost.status).toBe("unknown")
})

it("keeps nothing of what only the call itself needed", async () => {
  const limits = { requests: { limit: 1, remaining: 0, resetMs: 1 } } as unknown as NonNullable<Answer["limits"]>
  const generation = await saved({ ...fakeAnswer("yes"), retryAfterMs: 5, lost: [], limits })
  for (const name of ["retryAfterMs", "lost", "limits"]) expect(generation).not.toHaveProperty(name)
})

it("keeps what few answers have, and nothing in the place of what is absent", async () => {
  const rare = {
    isGivenText: true,
    answeredBy: "a member",
    differences: [],
    returned: { passages: ["one"] },
    refused: [],
  } satisfies Partial<Answer>
  expect(await saved({ ...fakeAnswer("yes"), ...rare })).toMatchObject(rare)
  const plain = await saved(fakeAnswer("yes"))
  for (const name of [...Object.keys(rare), "cutLogprobs", "isCold", "isTrial", "batch", "worker"])
    expect(plain).not.toHaveProperty(name)
})
