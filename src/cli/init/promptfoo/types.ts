import type { JsonObject, JsonValue } from "../../../core/json.ts"
import type { ReadCode } from "./code.ts"

/** What of a promptfoo config has no counterpart, or none that is the same: said in the new config and on the terminal. */
export interface NotConverted {
  /** `tests[3].assert[0]`. */
  readonly where: string
  readonly reason: string
  /** What the config says of the test. */
  readonly description?: string
}

/** Where it stood, with the words of the config for the test: `tests[3].assert[0] (refund in German)`. */
export function placeOf({ where, description }: NotConverted): string {
  return description === undefined ? where : `${where} (${description})`
}

/** A prompt: one user message, or a conversation. */
export interface ReadPrompt {
  readonly label: string
  readonly turns: readonly { readonly role: string; readonly content: string }[]
}

/** A provider as an expression of TypeScript. */
export interface ReadProvider {
  readonly label: string
  /** The function that the config imports. */
  readonly factory: string
  readonly options: Readonly<Record<string, JsonValue>>
  readonly parameters: Readonly<Record<string, JsonValue>>
}

/** An assertion that can be checked. */
export interface ReadCheck {
  /** The metric that it counts for: its own name, or its type. */
  readonly metric: string
  readonly type: string
  readonly not?: true
  readonly value?: JsonValue
  readonly threshold?: number
  readonly weight?: number
  /** Of a type that is code. */
  readonly code?: ReadCode
  /** What the code finds in its context's `config`. */
  readonly config?: JsonValue
  /** What the answer goes through first, in turn. */
  readonly transforms?: readonly ReadCode[]
}

/** A test. */
export interface ReadTest {
  readonly id: string
  readonly vars: JsonObject
  readonly assert: readonly ReadCheck[]
  readonly threshold?: number
  readonly description?: string
}

/** A promptfoo config in evalkit's terms. */
export interface ReadPromptfoo {
  readonly description: string | null
  readonly prompts: readonly ReadPrompt[]
  readonly providers: readonly ReadProvider[]
  readonly tests: readonly ReadTest[]
  /** The provider that grades; null where none is named. */
  readonly grader: ReadProvider | null
  readonly notConverted: readonly NotConverted[]
}
