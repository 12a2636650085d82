import { describe, expect, it } from "vitest"
import { createOutbox } from "../../../src/capture/threads/outbox.ts"

function recorded() {
  const posts: (readonly string[])[] = []
  const outbox = createOutbox<string>((messages) => void posts.push(messages))
  return { posts, outbox }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe("createOutbox", () => {
  it("posts together what may wait, in its order", async () => {
    const { posts, outbox } = recorded()
    outbox.put("a", 5)
    outbox.put("b", 5)
    await turn()
    expect(posts).toEqual([])
    await expect.poll(() => posts).toEqual([["a", "b"]])
  })

  it("posts what may not wait at once, behind what waits, and more of it together with the end of the turn", async () => {
    const { posts, outbox } = recorded()
    outbox.put("a", 20)
    outbox.put("b", 0)
    expect(posts).toEqual([["a", "b"]])
    outbox.put("c", 0)
    outbox.put("d", 0)
    expect(posts).toHaveLength(1)
    await turn()
    expect(posts).toEqual([
      ["a", "b"],
      ["c", "d"],
    ])
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(posts).toHaveLength(2)
  })

  it("does not let much memory wait", async () => {
    const { posts, outbox } = recorded()
    outbox.put("a", 1000, 600_000)
    await turn()
    expect(posts).toEqual([])
    outbox.put("b", 1000, 600_000)
    expect(posts).toEqual([["a", "b"]])
  })

  it("posts nothing when nothing waits", async () => {
    const { posts, outbox } = recorded()
    outbox.flush()
    outbox.put("a", 1000)
    outbox.flush()
    outbox.flush()
    await turn()
    expect(posts).toHaveLength(1)
  })
})
