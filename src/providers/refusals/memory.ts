import type { Answer } from "../../core/generation.ts"
import { canonicalJson } from "../../core/json.ts"
import type { ParameterDifference } from "../../core/parameter-difference.ts"
import type { GenerationParameters } from "../../core/provider.ts"
import { createAnswerNotes } from "../client/answer-notes.ts"
import { findRefused, type Refusal } from "./find-refused.ts"
import { refusableParameters, tokenLimit } from "./parameters.ts"

/**
 * What one endpoint's model was found to refuse, apart for every set of parameters: what is refused beside `reasoning_effort`, or
 * beside tools, may be allowed without. Shared by the requests of a session, so that each refusal is met and noted once.
 */
export interface RefusalMemory {
  /** One call: what it must do without, and what to make of its refusals. */
  call(parameters: GenerationParameters): CallRefusals
  /** What was found, of requests with these parameters only where they are given. */
  notes(parameters?: GenerationParameters): readonly string[]
  /** Takes note of what an answer shows of the endpoint. */
  addAnswer(answer: Answer): void
  /** Adds a note of the endpoint as a whole, once. */
  note(text: string): void
}

/** How one call gets on with what is refused. */
export interface CallRefusals {
  /** Parameters that are not to be sent, by their usual names; for `max_tokens`: under its other name. Read it before each request. */
  withheld(): ReadonlySet<string>
  /**
   * Takes note of a request that did not succeed.
   * @param sent the refusable parameters that it held
   * @returns true when it should be sent again, with what `withheld` says by then
   */
  refused(refusal: Refusal, sent: readonly string[]): boolean
  /** The request was answered: what it did without, it can do without. */
  answered(): void
  /** How what was sent differs from what was wanted. */
  differences(names: readonly string[]): readonly ParameterDifference[]
}

interface Known {
  readonly withheld: Set<string>
  /** Named in refusals that stayed the same without them. */
  readonly blameless: Set<string>
  readonly confirmed: Set<string>
  readonly notes: Map<string, string>
}

/** @param declared parameters that are known to be missing: never sent, noted once when a request wanted them */
export function createRefusalMemory(declared: readonly string[] = []): RefusalMemory {
  const memory = new Map<string, Known>()
  const general = new Set<string>()
  const answers = createAnswerNotes()
  /** Requests of one variant mostly share their parameters: what tells them apart is made once. */
  const ofParameters = new WeakMap<GenerationParameters, Known>()
  const knownFor = (parameters: GenerationParameters): Known => {
    const before = ofParameters.get(parameters)
    if (before) return before
    const key = keyOf(parameters)
    const entry = memory.get(key) ?? {
      withheld: new Set(declared),
      blameless: new Set(),
      confirmed: new Set(declared),
      notes: new Map(),
    }
    memory.set(key, entry)
    ofParameters.set(parameters, entry)
    return entry
  }
  return {
    call: (parameters) => new Call(knownFor(parameters), declared, (parameters.tools?.length ?? 0) > 0),
    notes: (parameters) => {
      const some = parameters === undefined ? [...memory.values()] : [knownFor(parameters)]
      return [...new Set([...some.flatMap(({ notes }) => [...notes.values()]), ...general, ...answers.list()])]
    },
    addAnswer: (answer) => answers.add(answer),
    note: (text) => general.add(text),
  }
}

/** One object for each request: ten thousands may wait for their moments. */
class Call implements CallRefusals {
  readonly #known: Known
  readonly #declared: readonly string[]
  readonly #hasTools: boolean
  #mine: readonly { readonly parameter: string; readonly words: string }[] = []
  #without: ReadonlySet<string> = noParameters

  constructor(memory: Known, declared: readonly string[], hasTools: boolean) {
    this.#known = memory
    this.#declared = declared
    this.#hasTools = hasTools
  }

  withheld(): ReadonlySet<string> {
    const { withheld } = this.#known
    this.#without = withheld.size === 0 ? noParameters : new Set(withheld)
    return this.#without
  }

  refused(refusal: Refusal, sent: readonly string[]): boolean {
    const memory = this.#known
    const words = refusal.message
    const last = this.#mine.at(-1)
    if (last?.words === words && !memory.confirmed.has(last.parameter)) {
      memory.withheld.delete(last.parameter)
      memory.blameless.add(last.parameter)
      memory.notes.delete(last.parameter)
    }
    const candidates = sent.filter((name) => !this.#without.has(name) && !memory.blameless.has(name))
    const parameter = findRefused(refusal, candidates)
    if (parameter === undefined || this.#mine.some((entry) => entry.parameter === parameter)) return false
    this.#mine = [...this.#mine, { parameter, words }]
    memory.withheld.add(parameter)
    const besideTools = this.#hasTools && /\btools?\b/i.test(words) ? " together with tools" : ""
    memory.notes.set(parameter, `${parameter}: refused by the endpoint${besideTools}; ${lossOf(parameter)}`)
    return true
  }

  answered(): void {
    for (const name of this.#without) this.#known.confirmed.add(name)
  }

  differences(names: readonly string[]): readonly ParameterDifference[] {
    for (const name of names)
      if (this.#declared.includes(name))
        this.#known.notes.set(name, `${name}: not offered by this endpoint; ${lossOf(name)}`)
    if (this.#without.size === 0) return []
    return refusableParameters.flatMap(({ parameter, affects }) =>
      this.#without.has(parameter) && names.includes(parameter) ? [{ parameter, affects }] : [],
    )
  }
}

const noParameters: ReadonlySet<string> = new Set()

function lossOf(parameter: string): string {
  if (parameter === tokenLimit.parameter) return "the limit of tokens is sent under its other name"
  return (
    refusableParameters.find((refusableParameter) => refusableParameter.parameter === parameter)?.loss ??
    "it is left out"
  )
}

/** What tells sets of parameters apart. The seed's value does not: it moves on with the repeat. */
function keyOf({ seed, tools, jsonSchema, ...rest }: GenerationParameters): string {
  return canonicalJson({
    ...rest,
    seed: seed !== undefined,
    tools: tools?.length ?? 0,
    schema: jsonSchema?.name ?? null,
  })
}
