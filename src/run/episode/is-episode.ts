import type { EpisodeDesign } from "../../core/episode/design.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"

/** How conversations go where a variant says nothing: all turns, with the variant's own answers, and no tool is called. */
const plainDesign: EpisodeDesign = { tools: [], maxSteps: 1, history: "full", answers: "own", identity: null }

/** How a variant goes through episodes. */
export function designOf({ episode }: Pick<Variant, "episode">): EpisodeDesign {
  return episode ?? plainDesign
}

/** Whether a sample is more than one question and one answer to this variant. Recorded answers are read as they are. */
export function isEpisode(
  { episode, provider }: Pick<Variant, "episode" | "provider">,
  { turns }: Pick<Sample, "turns">,
): boolean {
  return (episode !== undefined || turns !== undefined) && provider.traits?.isRecord !== true
}
