import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { distractorSentence, fillerSentence, foreignSentence } from "../../datasets/perturb/added-sentence.ts"
import { injectedInstruction } from "../../datasets/perturb/attacks.ts"
import { compose } from "../../datasets/perturb/compose.ts"
import { homoglyphs } from "../../datasets/perturb/homoglyphs.ts"
import { invisibleCharacters } from "../../datasets/perturb/invisible-characters.ts"
import { letterCase } from "../../datasets/perturb/letter-case.ts"
import { numerals } from "../../datasets/perturb/numerals.ts"
import { paraphraseTemplate } from "../../datasets/perturb/paraphrase-template.ts"
import { perturbed } from "../../datasets/perturb/perturbed.ts"
import { punctuation } from "../../datasets/perturb/punctuation.ts"
import { synonyms } from "../../datasets/perturb/synonyms.ts"
import { typos } from "../../datasets/perturb/typos.ts"
import { whitespace } from "../../datasets/perturb/whitespace.ts"
import { expectedCalibrationError } from "../../metrics/calibration/expected-calibration-error.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { attackSuccess } from "../../metrics/robustness/attack-success.ts"
import { loadWordNet } from "../../metrics/wordnet/wordnet.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { JsonObject } from "../../src/core/json.ts"
import type { CalibrationData, RobustnessData } from "../../src/core/report/report-sections.ts"
import { evaluate } from "../../src/pipeline/evaluate.ts"
import { local } from "../../src/providers/local.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { schemaErrors } from "../support/report-schema.ts"
import { scratchDirectory } from "../support/scratch.ts"

const directory = scratchDirectory()
const perturbations = [
  typos({ rate: 0.2 }),
  letterCase({ to: "lower" }),
  letterCase({ to: "upper" }),
  whitespace(),
  punctuation(),
  numerals(),
  synonyms({ thesaurus: loadWordNet }),
  homoglyphs(),
  invisibleCharacters(),
  fillerSentence(),
  distractorSentence(),
  foreignSentence({ place: "after" }),
  paraphraseTemplate(),
  injectedInstruction(),
  compose("messy", [letterCase(), typos(), punctuation()]),
]

/** Every 90th item of the tiny models' tasks. */
async function items(): Promise<JsonObject[]> {
  const file = await readFile(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url), "utf8")
  const lines = file.trim().split("\n")
  return lines.filter((_, i) => i % 90 === 0).map((line) => JSON.parse(line) as JsonObject)
}

describe("robustness of the tiny model", () => {
  it("is measured end to end under fifteen perturbations and stands in the report with paired intervals", async () => {
    const evaluation = await validateConfig({
      name: "robustness",
      dataset: perturbed(inline(await items()), { perturbations, seed: 1 }),
      variants: [
        {
          name: "s-f16",
          provider: local(new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url)),
          parameters: { temperature: 0, maxTokens: 48 },
        },
      ],
      metrics: [exactMatch(), expectedCalibrationError(), attackSuccess()],
    })
    const store = openRunStore(directory)
    try {
      const { report, status } = await evaluate({
        evaluation,
        store,
        clock: systemClock,
        environment: process.env,
        cacheDirectory: directory,
        facts: { id: "robust", startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
        signal: new AbortController().signal,
      })
      expect(status).toBe("finished")
      expect(schemaErrors(report)).toEqual([])
      const section = (kind: string) => report.sections.find((entry) => entry.kind === kind)!
      const { rows, summaries } = section("robustness").data as unknown as RobustnessData
      expect(rows.length).toBeGreaterThanOrEqual(12)
      for (const { drop } of rows) {
        if (drop.status !== "known") throw new Error(drop.reason)
        expect(drop.low!).toBeLessThanOrEqual(drop.value)
        expect(drop.high!).toBeGreaterThanOrEqual(drop.value)
      }
      const clean = summaries![0]!.worstCase
      if (clean.status !== "known") throw new Error(clean.reason)
      expect(clean.n).toBe(10)
      expect(rows.some(({ drop }) => drop.status === "known" && drop.value < 0)).toBe(true)
      expect((section("calibration").data as unknown as CalibrationData).variants[0]!.bins.length).toBeGreaterThan(1)
      const attack = report.variants[0]!.quality.find((figure) => figure.metric === "attackSuccess")!
      expect(attack).toMatchObject({ scored: 10, figure: { status: "known" } })
    } finally {
      store.close()
    }
  }, 120_000)
})
