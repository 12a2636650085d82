import { expect, it } from "vitest"
import { command } from "../../src/cli/commands/explain.ts"
import { askingNames, promptsOf, promptText } from "../../src/cli/explain-prompt.ts"
import { fakeIo } from "../support/fake-io.ts"

it.each(askingNames)("the prompt of %s is what people have read", async (name) => {
  const [prompts] = await promptsOf(name)
  expect(prompts?.requests.length).toBeGreaterThan(0)
  await expect(promptText(prompts?.requests ?? [])).toMatchFileSnapshot(`../golden/prompts/${name}.txt`)
})

it("no prompt holds a name of the code", async () => {
  for (const name of askingNames)
    for (const { requests } of await promptsOf(name)) expect(promptText(requests)).not.toMatch(/\b[A-Z][a-z]+[A-Z]\w*/)
})

it("evalkit explain --prompt prints it, by the name of a table, too, and says what asks no model", async () => {
  const io = fakeIo({ cwd: "/" })
  expect(await command.run({ name: "faithfulness", prompt: true }, io)).toBe(0)
  expect(io.stdout()).toContain(
    "judged.faithfulness\n\n[system]\nSplit the answer into its single factual claims. Judge each claim",
  )
  expect(io.stdout()).toContain("Is every claim in the answer supported by the passages?")
  await expect(command.run({ name: "rouge", prompt: true }, io)).rejects.toThrow(/"rouge" asks no model/)
  await expect(command.run({ prompt: true }, io)).rejects.toThrow(/whose prompt/)
})
