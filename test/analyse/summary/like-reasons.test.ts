import { expect, it } from "vitest"
import { likeReasons } from "../../../src/analyse/summary/like-reasons.ts"

it("counts reasons that differ by request ids alone as one, once there are many of them", () => {
  const refusal = (id: number) => `judge_failed: http_5xx: HTTP 500: overloaded, request ${id}`
  const many = new Map([["not_drawn", 7], ...Array.from({ length: 30 }, (_, id) => [refusal(id), 2] as const)])
  expect([...likeReasons(many)]).toEqual([
    ["not_drawn", 7],
    [refusal(0), 60],
  ])
})

it("keeps a few as they are: their numbers may say something", () => {
  const few = new Map([
    ["panel_quorum: 0 of 3 judges gave a score", 1],
    ["panel_quorum: 1 of 3 judges gave a score", 2],
  ])
  expect(likeReasons(few)).toBe(few)
})
