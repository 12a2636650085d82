import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { rubric } from "../../../judges/rubric-judge.ts"
import { perTurn } from "../../../metrics/episodes/per-turn.ts"
import { main } from "../../../src/cli/main.ts"
import { rubrics } from "../../../src/judges.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { testPrice } from "../../support/test-price.ts"
import { runEpisodes } from "./episode-support.ts"

const folder = scratchDirectory()

const price = testPrice(1, 1)
const rows = ["a", "b"].map((id) => ({ id, turns: ["one", "two", "three"].map((word) => `${word} of ${id}`) }))

it("asks a judge of turns once for each turn: as often as the dry run says, the store and the bill have it", {
  timeout: 180_000,
}, async () => {
  const judge = fakeProvider("judge", () => fakeAnswer('{"reason":"fine","choice":"yes"}'), { price })
  const { report, record, store } = await runEpisodes({
    rows,
    variants: ["x", "y"].map((name) => ({
      name,
      provider: fakeProvider(name, ({ messages }) => fakeAnswer(`${name} hears ${messages.at(-1)?.content}`)),
    })),
    metrics: [perTurn(rubric({ provider: judge, rubric: rubrics.yesOrNo }))],
  })
  // Two conversations of three turns, by two variants.
  expect(judge.requests).toHaveLength(12)
  expect([...store.modelCalls(record.id)]).toHaveLength(12)
  for (const { cost } of report.variants) {
    expect(cost.judgeUsd).toMatchObject({ status: "known", n: 6 })
    expect(cost.judgeUsd).toHaveProperty("value", expect.closeTo(6 * 8e-6, 12))
  }
  store.close()

  await writeFile(
    join(folder, "eval.config.ts"),
    `import { defineConfig, episodeMetrics, fromFunction, rubric, rubrics, variant } from "evalkit"
const judge = { ...fromFunction(() => "yes", { name: "judge" }), price: ${JSON.stringify(price)} }
export default defineConfig({
  dataset: ${JSON.stringify(rows)},
  variants: ["x", "y"].map((name) => variant({ name, provider: fromFunction(() => name, { name }) })),
  metrics: [episodeMetrics.perTurn(rubric({ provider: judge, rubric: rubrics.yesOrNo }))],
})`,
  )
  const io = fakeIo({ cwd: folder, environment: { EVALKIT_CACHE_DIR: join(folder, "cache") } })
  expect(await main(["run", "--dry-run", "--json"], io), io.stderr()).toBe(0)
  expect(JSON.parse(io.stdout()).metrics).toMatchObject([{ maxCalls: 12 }])
})
