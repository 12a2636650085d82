import type { EpisodeStep } from "../../../src/core/episode/step.ts"
import type { ReportInput } from "../../../src/core/report/report.ts"
import { called, said } from "../../metrics/episodes/episode-answer.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

/** The synthetic report with an episode as each answer; the first variant's is another than the others'. */
export function withEpisodes(stepsOf: (isFirst: boolean) => readonly EpisodeStep[]): ReportInput {
  const input = syntheticInput({ samples: 2 })
  return {
    report: input.report,
    async *samples(filter) {
      for await (const { sample, answers } of input.samples(filter))
        yield {
          sample: { ...sample, input: "one?", turns: ["one?", "two?"].map((content) => ({ content, references: [] })) },
          answers: answers.map((answer, index) => ({
            ...answer,
            generation: { ...answer.generation, episode: { steps: stepsOf(index === 0), turns: 2 } },
          })),
        }
    },
  }
}

const look = { name: "look", arguments: { at: 1 }, id: "c" }
/** A question that needs a tool, and one that does not; they end with this text. */
export const steps = (last: string) => [
  said(0, "", { toolCalls: [look] }),
  called(0, "look", { at: 1 }, "seen"),
  said(0, "first answer"),
  said(1, last),
]
