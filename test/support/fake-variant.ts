import type { Provider } from "../../src/core/provider.ts"
import { inputText, type Sample } from "../../src/core/sample.ts"
import type { Variant } from "../../src/core/variant.ts"

/** A sample with everything empty but what is given. */
export function fakeSample(id: string, overrides: Partial<Sample> = {}): Sample {
  return {
    id,
    input: `question ${id}`,
    references: [`answer ${id}`],
    context: [],
    choices: [],
    expectedTools: [],
    metadata: {},
    ...overrides,
  }
}

/** A variant that sends the sample's input as it is. */
export function fakeVariant(name: string, provider: Provider, overrides: Partial<Variant> = {}): Variant {
  return {
    name,
    provider,
    prompt: { identity: "input", render: (sample) => [{ role: "user", content: inputText(sample) }] },
    parameters: { temperature: 0 },
    price: null,
    limits: {},
    ...overrides,
  }
}
