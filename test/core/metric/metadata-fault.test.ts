import { describe, expect, it } from "vitest"
import { hitAtK } from "../../../metrics/retrieval/retrieval-metrics.ts"
import { stepEfficiency } from "../../../metrics/tools/step-efficiency.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import { metadataFault } from "../../../src/core/metric/metadata-fault.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { fakeSample } from "../../support/fake-variant.ts"

describe("metadataFault", () => {
  it.each([
    [{}, "no metadata.policy_doc"],
    [{ policy_doc: null }, "no metadata.policy_doc"],
    [{ policy_doc: "doc-12" }, "metadata.policy_doc is a text, not a list of ids"],
    [{ policy_doc: 12 }, "metadata.policy_doc is a number, not a list of ids"],
    [{ policy_doc: [] }, "metadata.policy_doc is an empty list, not a list of ids"],
    [{ policy_doc: { a: 0 } }, "metadata.policy_doc is an object, not a list of ids"],
  ])("says of %j what is wrong", (metadata: JsonObject, words) => {
    expect(metadataFault(metadata, "policy_doc", "a list of ids")).toBe(words)
  })
})

describe("a metric that reads metadata", () => {
  const measure = (metric: AnyMetric, metadata: JsonObject) =>
    metric.measure({ ...fakeSample("s"), metadata }, fakeAnswer("x") as never, {} as never)
  it("takes a text for the one relevant passage, as lostPassages does", async () => {
    const metric = hitAtK({ k: 2, relevant: "policy_doc" })
    const metadata = { retrievedIds: ["doc-7", "doc-12"], policy_doc: "doc-12" }
    expect(await measure(metric, metadata)).toMatchObject({ status: "scored", row: 1 })
    expect(await measure(hitAtK({ k: 1, relevant: "policy_doc" }), metadata)).toMatchObject({ row: 0 })
  })
  it("does not say that a field is missing which is there in another form", async () => {
    expect(await measure(hitAtK({ k: 1, retrieved: "policy_doc" }), { policy_doc: "doc-12" })).toMatchObject({
      reason: "no_retrieved_ids: metadata.policy_doc is a text, not a list of ids",
    })
    expect(await measure(stepEfficiency(), { expectedSteps: "3" })).toMatchObject({
      reason: "no_expected_steps: no expected calls, and metadata.expectedSteps is a text, not a number above 0",
    })
  })
})
