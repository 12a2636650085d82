import { describe, expect, it } from "vitest"
import { compileTemplate } from "../../src/config/template.ts"

describe("a prompt template that would never end", () => {
  it.each([
    ["a range of a thousand million", "{% for i in (1..1000000000) %}x{% endfor %}"],
    ["loops in loops", "{% for i in (1..100000) %}{% for j in (1..100000) %}{{ i }}{% endfor %}{% endfor %}"],
    [
      "a text that doubles",
      "{% assign a = 'x' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
    ],
  ])(
    "stops at %s with a message, before memory or time run out",
    (_, template) => {
      const startedMs = performance.now()
      expect(() => compileTemplate(template)({}, "s1")).toThrow(/cannot be rendered.*limit exceeded.*sample "s1"/s)
      expect(performance.now() - startedMs).toBeLessThan(20_000)
    },
    30_000,
  )

  it("still renders long contexts", () => {
    const context = "word ".repeat(400_000)
    expect(
      compileTemplate("{{ context | strip }}{% for i in (1..1000) %}.{% endfor %}")({ context }, "s1"),
    ).toHaveLength(context.length - 1 + 1000)
  })
})
