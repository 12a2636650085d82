import { describe, expect, it } from "vitest"
import { createOutbox } from "../../src/capture/outbox.ts"

function recorded() {
  const posts: { readonly messages: readonly string[]; readonly transfer: readonly ArrayBuffer[] }[] = []
  const outbox = createOutbox<string>((messages, transfer) => posts.push({ messages, transfer }))
  return { posts, outbox }
}

describe("createOutbox", () => {
  it("posts together what may wait, in its order and with its blocks", async () => {
    const { posts, outbox } = recorded()
    const block = new ArrayBuffer(1)
    outbox.put("a", 5)
    outbox.put("b", 5, [block])
    expect(posts).toEqual([])
    await expect.poll(() => posts).toEqual([{ messages: ["a", "b"], transfer: [block] }])
  })

  it("posts at once what may not, behind what waits", async () => {
    const { posts, outbox } = recorded()
    outbox.put("a", 20)
    outbox.put("b", 0)
    expect(posts.map(({ messages }) => messages)).toEqual([["a", "b"]])
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(posts).toHaveLength(1)
  })

  it("posts nothing when nothing waits", () => {
    const { posts, outbox } = recorded()
    outbox.flush()
    outbox.put("a", 1000)
    outbox.flush()
    outbox.flush()
    expect(posts).toHaveLength(1)
  })
})
