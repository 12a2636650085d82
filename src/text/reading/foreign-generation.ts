import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import type { Generation } from "../../core/generation.ts"
import { withoutThinking } from "./without-thinking.ts"

/** A text as an answer that another tool made, without its thinking: nothing was measured, and what it cost is not known. */
export function foreignGeneration(facts: Pick<Generation, "sampleId" | "text"> & Partial<Generation>): Generation {
  const { retryAfterMs: _, ...answer } = bareAnswer({ outcome: "ok", log: unsentLog(0, 0) })
  return withoutThinking({
    ...answer,
    variant: "foreign",
    repeat: 0,
    source: "foreign",
    segment: 0,
    position: 0,
    retries: [],
    cost: { status: "unknown", reason: "foreign output" },
    ...facts,
  })
}
