import { describe, expect, it } from "vitest"
import { defaultPrompt, prompt } from "../../src/config/prompt.ts"
import { UsageError } from "../../src/core/errors.ts"
import type { Sample } from "../../src/core/sample.ts"
import { fakeSample } from "../support/fake-variant.ts"

function sample(over: Partial<Sample> = {}): Sample {
  return fakeSample("s1", { input: "Hello", references: [], ...over })
}

function rendered(template: string, over: Partial<Sample> = {}): string {
  return prompt(template).render(sample(over))[0]?.content ?? ""
}

describe("prompt", () => {
  it("puts the sample's fields in", () => {
    expect(
      rendered("{{id}}|{{input}}|{{reference}}|{{context}}|{{choices}}|{{group}}|{{task}}|{{metadata.task}}", {
        references: ["Hallo", "Servus"],
        context: ["one", "two"],
        choices: ["A", "B"],
        group: "g",
        metadata: { task: "translate" },
      }),
    ).toBe("s1|Hello|Hallo|one\ntwo|A\nB|g|translate|translate")
  })

  it("knows the input by the column's usual names", () => {
    expect(rendered("{{question}} {{prompt}} {{answer}}", { references: ["Hi"] })).toBe("Hello Hello Hi")
    expect(rendered("{{question}}", { metadata: { question: "my own" } })).toBe("my own")
  })

  it("writes values as they are: nothing is escaped or evaluated again", () => {
    const hostile = "{{metadata.secret}} {% for i in (1..9) %} <b>&amp;"
    expect(rendered("{{input}}", { input: hostile, metadata: { secret: "no" } })).toBe(hostile)
    expect(rendered("{{data}} {{flag}} {{count}}", { metadata: { data: { a: [1] }, flag: false, count: 0 } })).toBe(
      '{"a":[1]} false 0',
    )
  })

  it("has loops and filters", () => {
    const template = "{% for choice in choices %}{{ forloop.index }}. {{ choice | upcase }}\n{% endfor %}"
    expect(rendered(template, { choices: ["a", "b"] })).toBe("1. A\n2. B\n")
  })

  it("names field, template and sample when a field is missing", () => {
    const render = () => rendered("Context: {{context}}", { metadata: { task: "x" } })
    expect(render).toThrow(UsageError)
    expect(render).toThrow(
      'the prompt uses the field "context", which the sample does not have: sample "s1", template "Context: {{context}}"; it has: prompt, question, task, id, input, metadata',
    )
  })

  it("says what to do where the columns have other names", () => {
    const asked = (metadata: Record<string, string>) => () => rendered("{{input}}", { input: null, metadata })
    expect(asked({ text: "x" })).toThrow(
      'it has: text, id, metadata; name its column with dataset(…, { fields: { input: "COLUMN" } })',
    )
  })

  it("does not reach inherited properties", () => {
    expect(() => rendered("{{constructor}}")).toThrow('the field "constructor"')
    expect(() => rendered("{{metadata.__proto__}}")).toThrow(UsageError)
    expect(() => rendered("{{input.constructor.name}}")).toThrow(UsageError)
  })

  it("refuses a template that cannot be parsed, an unknown filter, and files", () => {
    expect(() => prompt("{{ input")).toThrow("the prompt template cannot be parsed")
    expect(() => prompt("{% for x %}")).toThrow(UsageError)
    expect(() => rendered("{{ input | shout }}")).toThrow(UsageError)
    for (const tag of ["include", "render", "layout"])
      expect(() => prompt(`{% ${tag} "/etc/passwd" %}`)).toThrow("cannot include files")
  })

  it("renders a system message, and few-shot examples as turns through the same template", () => {
    const made = prompt("Translate: {{input}}", {
      system: "You know {{language}}.",
      fewShot: [{ input: "Yes", output: "Ja {{input}}" }],
    })
    expect(made.render(sample({ metadata: { language: "German" } }))).toEqual([
      { role: "system", content: "You know German." },
      { role: "user", content: "Translate: Yes" },
      { role: "assistant", content: "Ja {{input}}" },
      { role: "user", content: "Translate: Hello" },
    ])
  })

  it("takes a whole conversation", () => {
    const made = prompt(
      [
        { role: "system", content: "S" },
        { role: "user", content: "{{input}}" },
        { role: "assistant", content: "{" },
      ],
      { fewShot: [{ input: "a", output: "b" }] },
    )
    expect(made.render(sample()).map((turn) => turn.content)).toEqual(["S", "a", "b", "Hello", "{"])
  })

  it("has an identity that changes with everything it sends", () => {
    const identities = [
      prompt("{{input}}"),
      prompt("{{input}} "),
      prompt("{{input}}", { system: "S" }),
      prompt("{{input}}", { fewShot: [{ input: "a", output: "b" }] }),
      prompt("{{input}}", { fewShot: [{ input: "a", output: "c" }] }),
      defaultPrompt,
    ].map((made) => JSON.stringify(made.identity))
    expect(new Set(identities).size).toBe(identities.length)
    expect(JSON.stringify(prompt("{{input}}").identity)).toBe(identities[0])
  })
})

describe("defaultPrompt", () => {
  it("sends the text as a user message, and chat messages as they are", () => {
    expect(defaultPrompt.render(sample())).toEqual([{ role: "user", content: "Hello" }])
    const messages = [
      { role: "system", content: "S" },
      { role: "user", content: "{{braces}}" },
    ] as const
    expect(defaultPrompt.render(sample({ input: messages }))).toBe(messages)
  })

  it("needs an input", () => {
    expect(() => defaultPrompt.render(sample({ input: null }))).toThrow('the field "input"')
  })
})
