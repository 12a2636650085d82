import type { OpenSample } from "../../core/episode/design.ts"
import type { Sample } from "../../core/sample.ts"

/** A sample as tools and simulated users see it: without what a good answer would be. */
export function openSample(sample: Sample): OpenSample {
  const { references: _references, expectedTools: _expectedTools, label: _label, turns, ...open } = sample
  return { ...open, ...(turns && { turns: turns.map(({ content }) => ({ content, references: [] })) }) }
}
