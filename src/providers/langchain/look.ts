import { asList, asMembers, asNumber, asText, type Members } from "../../core/json-members.ts"

/** The parts of a runnable, itself first: a chain's steps, what a binding wraps. At most a hundred, since a graph may go in circles. */
export function partsOf(runnable: object): readonly Members[] {
  const parts = new Set<Members>()
  const look = (value: unknown): void => {
    const part = asMembers(value)
    if (!part || parts.has(part) || parts.size >= 100) return
    parts.add(part)
    for (const inner of [part.bound, part.first, ...asList(part.middle), part.last, ...asList(part.steps)]) look(inner)
  }
  look(runnable)
  return [...parts]
}

/** The name that it has for people: `ChatOpenAI`, `RunnableSequence`. */
export function nameOf(runnable: object): string {
  const value = partsOf(runnable)[0]?.name
  return (asText(value) || runnable.constructor?.name || "runnable").slice(0, 100)
}

/** The first model that a part names; null where none does. */
export function modelOf(runnable: object): string | null {
  for (const part of partsOf(runnable)) {
    const model = asText(part.model) || asText(part.modelName)
    if (model !== "") return model.slice(0, 200)
  }
  return null
}

/** How it is built, as LangChain itself writes it; keys are not in it. Null where it cannot be written. */
export function shapeOf(runnable: object): string | null {
  try {
    return JSON.stringify(runnable)?.slice(0, 1_000_000) ?? null
  } catch {
    return null
  }
}

/** How often a part tries again by itself, at most; 0 where none says. */
export function hiddenRetries(runnable: object): number {
  return Math.max(0, ...partsOf(runnable).map(({ caller }) => asNumber(asMembers(caller)?.maxRetries) ?? 0))
}
