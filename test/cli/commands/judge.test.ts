import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { main } from "../../../src/cli/main.ts"
import { createRandom } from "../../../src/core/random.ts"
import { fakeIo } from "../../support/fake-io.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const cwd = scratchDirectory()

const validate = async (
  lines: readonly object[] | string,
  args: readonly string[] = ["--json"],
  name = "rows.jsonl",
) => {
  writeFileSync(
    join(cwd, name),
    typeof lines === "string" ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  )
  const io = fakeIo({ cwd })
  const code = await main(["judge", "validate", name, ...args], io)
  return { code, out: io.stdout(), err: io.stderr() }
}

const rows = (n: number, labelled: number) => {
  const random = createRandom("rows")
  return Array.from({ length: n }, (_, i) => {
    const human = Number(random.next() < 0.6)
    return { id: `s${i}`, judge: random.next() < 0.85 ? human : 1 - human, human: i < labelled ? human : null }
  })
}

describe("evalkit judge validate", () => {
  it("prints every figure with its interval beside it", async () => {
    const { code, out } = await validate(rows(300, 100))
    expect(code).toBe(0)
    const result = JSON.parse(out)
    expect(result).toMatchObject({ n: 300, labelled: 100 })
    for (const name of [
      "agreement",
      "kappa",
      "weighted_kappa",
      "alpha",
      "spearman",
      "kendall",
      "judge_mean",
      "human_mean",
      "corrected_mean",
    ]) {
      const [low, high] = result[`${name}_interval`]
      expect(low, name).toBeLessThanOrEqual(result[name])
      expect(high, name).toBeGreaterThanOrEqual(result[name])
    }
    expect(result.confusion.counts.flat().reduce((sum: number, count: number) => sum + count, 0)).toBe(100)
  })

  it("agrees with kappa and the corrected mean worked out by hand", async () => {
    // 2 × 2 of the labelled: 4 agree of 5; p_e = (3·2 + 2·3) / 25 = 0.48 for margins 3/2 and 2/3.
    const { out } = await validate([
      { id: "1", judge: 1, human: 1 },
      { id: "2", judge: 1, human: 1 },
      { id: "3", judge: 1, human: 0 },
      { id: "4", judge: 0, human: 0 },
      { id: "5", judge: 0, human: 0 },
      { id: "6", judge: 1, human: null },
    ])
    const result = JSON.parse(out)
    expect(result.kappa).toBeCloseTo((0.8 - 0.48) / (1 - 0.48), 12)
    // PPI++: 2/5 + λ (1 − 3/5). The covariance is (2 − 5 · 2/5 · 3/5) / 5 = 0.16, the judge's variance over all six 4/15, and
    // λ = 0.16 / ((1 + 5/1) · 4/15) = 0.1.
    expect(result.corrected_mean).toBeCloseTo(0.4 + 0.1 * 0.4, 12)
  })

  it("reads CSV with empty labels, words and columns of other names", async () => {
    const csv = "key,gpt,me\n1,yes,yes\n2,no,\n3,partly,no\n4,true,1\n"
    const { code, out } = await validate(csv, ["--json", "--id", "key", "--judge", "gpt", "--human", "me"], "rows.csv")
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ n: 4, labelled: 3, judge_mean: (1 + 0 + 0.5 + 1) / 4 })
  })

  it("joins comparisons in both orders, and shows what the place alone is worth", async () => {
    const { out } = await validate([
      { id: "p1", order: "ab", judge: "first", human: "a" },
      { id: "p1", order: "ba", judge: "second", human: null },
      { id: "p2", order: "ab", judge: "first", human: "b" },
      { id: "p2", order: "ba", judge: "first", human: null },
      { id: "p3", order: "ab", judge: "tie", human: null },
      { id: "p3", order: "ba", judge: null, human: null },
    ])
    expect(JSON.parse(out)).toMatchObject({
      n: 3,
      judged: 2,
      judge_mean: 0.75,
      position: { first: 3, second: 1, tie: 1, invalid: 1, flip_rate: 0.5, first_place_advantage: 0.25 },
    })
  })

  it.each([
    [["--orders", "tie"], { agreement: 0, missed: 0, judge_mean: 0.5 }],
    [["--orders", "strict"], { agreement: 0, missed: 1, judge_mean: null }],
    [["--orders", "majority"], { agreement: 1, missed: 0, judge_mean: 1 }],
    [["--orders", "majority", "--invalid", "wrong"], { agreement: 2 / 3, missed: 1, judge_mean: 1 }],
    [["--orders", "tie", "--invalid", "wrong"], { agreement: 0, missed: 2, judge_mean: 0.5 }],
  ] as const)("counts a pair of unequal orders and unreadable verdicts by %j", async (rules, expected) => {
    const { out } = await validate(
      [
        // A tie and a win; a win and nothing; nothing twice.
        { id: "p1", order: "ab", judge: "tie", human: "a" },
        { id: "p1", order: "ba", judge: "second", human: "a" },
        { id: "p2", order: "ab", judge: "first", human: "a" },
        { id: "p2", order: "ba", judge: "invalid", human: "a" },
        { id: "p3", order: "ab", judge: null, human: "a" },
        { id: "p3", order: "ba", judge: null, human: "a" },
      ],
      ["--json", ...rules],
    )
    expect(JSON.parse(out)).toMatchObject(expected)
  })

  describe("labels that were chosen by the judge's answer", () => {
    /** 400 answers; of those that the judge dislikes 40 % have a label, of the others 5 %. */
    const chosen = () => {
      const random = createRandom("chosen")
      return Array.from({ length: 400 }, (_, i) => {
        const judge = Number(random.next() < 0.6)
        const human = Number(random.next() < (judge === 1 ? 0.85 : 0.35))
        const probability = judge === 1 ? 0.05 : 0.4
        return { id: `s${i}`, judge, human: random.next() < probability ? human : null, probability }
      })
    }
    it("correct no mean while nobody says how they were drawn, and the text asks", async () => {
      const result = JSON.parse((await validate(chosen())).out)
      expect(result).toMatchObject({ corrected_mean: null, labels_drawn: "unstated", labels_differ: true })
      expect(result.reasons.corrected_mean).toContain("say how the labels were drawn")
      expect((await validate(chosen(), [])).out).toContain("The labelled rows do not look drawn by chance")
    })
    it("correct it with the rows' probabilities", async () => {
      const result = JSON.parse((await validate(chosen(), ["--json", "--probability", "probability"])).out)
      expect(result).toMatchObject({ labels_drawn: "probabilities", labels_differ: false })
      expect(Math.abs(result.corrected_mean - 0.65)).toBeLessThan(0.15)
      expect(result.corrected_mean_interval[0]).toBeLessThan(0.65)
      expect(result.corrected_mean_interval[1]).toBeGreaterThan(0.65)
      expect(result.methods.corrected_mean).toContain("weighted by one over its probability")
    })
    it("are warned of even where chance is claimed, and are left out as doubt", async () => {
      const claimed = await validate(chosen(), ["--drawn", "chance"])
      expect(claimed.out).toContain("do not look drawn by chance")
      const doubt = JSON.parse((await validate(chosen(), ["--json", "--drawn", "doubt"])).out)
      expect(doubt).toMatchObject({ corrected_mean: null, human_mean: null })
      expect(doubt.agreement).not.toBeNull()
    })
    it("are told apart from labels by chance in a column", async () => {
      const mixed = chosen().map((row, i) => ({
        ...row,
        human: i % 5 === 0 ? 1 : row.human,
        how: i % 5 === 0 ? "chance" : row.human === null ? null : "doubt",
      }))
      const result = JSON.parse((await validate(mixed, ["--json", "--drawn", "how"])).out)
      expect(result).toMatchObject({ labels_drawn: "stated", human_mean: 1 })
      expect((await validate([{ id: "1", judge: 1, human: 1, how: "lot" }], ["--drawn", "how"])).err).toContain(
        'expected "chance", "doubt" or null, got "lot": rows.jsonl:1, field how',
      )
    })
    it("need probabilities above 0", async () => {
      const rows = [{ id: "1", judge: 1, human: 1, share: 0 }]
      const { code, err } = await validate(rows, ["--probability", "share"])
      expect(code).toBe(2)
      expect(err).toContain("expected a probability above 0 and up to 1, got 0: rows.jsonl:1, field share")
    })
  })

  it("asks whether labels were drawn by chance where they look so and nobody said", async () => {
    expect((await validate(rows(300, 100), [])).out).toContain("say --drawn chance if so")
    expect((await validate(rows(300, 100), ["--drawn", "chance"])).out).not.toContain("--drawn")
  })

  it("says null with a reason, never 0, for what cannot be told", async () => {
    const { out } = await validate([{ id: "1", judge: 0.5, human: null }])
    expect(JSON.parse(out)).toMatchObject({
      kappa: null,
      kappa_interval: null,
      corrected_mean: null,
      reasons: { kappa: "no row has both a verdict and a label" },
    })
  })

  it("tells people in sentences first", async () => {
    const { out } = await validate(rows(300, 100), [])
    expect(out).toMatch(
      /^Judge and people agree on \d+ of 100 labelled answers \(\d+(\.\d)? %\); beyond chance that is \w+/,
    )
    expect(out).toContain("corrected by the labels, people would give")
  })

  it.each([
    [[{ id: "1", human: 1 }], 'the row has no "judge": rows.jsonl:1'],
    [
      [{ id: "1", judge: "good", human: 1 }],
      'expected a number, true, false, yes, partly, no or null, got "good": rows.jsonl:1, field judge',
    ],
    [
      [
        { id: "1", judge: 1, human: 1 },
        { id: "1", judge: 1, human: 1 },
      ],
      "the id 1 is in the file twice: rows.jsonl:2",
    ],
    [
      [{ id: "1", judge: "first", human: null, order: "xy" }],
      'expected "ab" or "ba", got "xy": rows.jsonl:1, field order',
    ],
    [[], "the file has no rows"],
  ] as const)("refuses %j", async (lines, message) => {
    const { code, err } = await validate(lines)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  describe("with several people", () => {
    const long = [
      { id: "1", judge: 1, human: 1, labeller: "ann", policy: "new", at: "2026-01-01" },
      { id: "1", judge: 1, human: 0, labeller: "ben", policy: "new" },
      { id: "1", judge: null, human: 1, labeller: "chief", policy: "new" },
      { id: "2", judge: 0, human: 0, labeller: "ann", policy: "new" },
      { id: "2", human: 0, labeller: "ben", policy: "new" },
      { id: "3", judge: 1, human: "yes", labeller: "ann", policy: "new" },
      { id: "3", judge: 1, human: null, labeller: "ben", policy: "new" },
    ]
    it("reads a row for each person, when they labelled, and whose word is the last", async () => {
      const { out } = await validate(long, ["--json", "--policy", "policy", "--adjudicator", "chief"])
      const result = JSON.parse(out)
      expect(result).toMatchObject({ n: 3, labelled: 3, agreement: 1, human_mean: 2 / 3 })
      expect(result.people).toMatchObject({
        labellers: [
          { labeller: "ann", labels: 3 },
          { labeller: "ben", labels: 2 },
        ],
        several: 2,
        disputed: 1,
        adjudicated: 1,
        agreement: 0.5,
        disputes: [{ id: "1", last_word: 1, labels: [{ labeller: "ann", policy: "new", at: "2026-01-01" }, {}] }],
      })
      const [ann, ben, majority, last] = result.people.against
      expect(ann).toMatchObject({ who: "ann", kind: "labeller", n: 3, agreement: 1 })
      expect(ben).toMatchObject({ who: "ben", n: 2, agreement: 0.5 })
      expect(majority).toMatchObject({ kind: "majority", n: 1, agreement: 1 })
      expect(last).toMatchObject({ kind: "last word", n: 1, agreement: 1 })
    })

    it("reads a column for each person", async () => {
      const csv = "id,judge,ann,ben,eva\n1,1,1,1,0\n2,0,0,0,\n3,1,0,1,1\n"
      const { out } = await validate(csv, ["--json", "--human", "ann,ben,eva"], "wide.csv")
      const result = JSON.parse(out)
      expect(result.people).toMatchObject({ labelled: 3, several: 3, disputed: 2, agreement: (1 / 3 + 1 + 1 / 3) / 3 })
      expect(result.people.against[3]).toMatchObject({ who: "the majority", n: 3, agreement: 1 })
      const { out: text } = await validate(csv, ["--human", "ann,ben,eva"], "wide.csv")
      expect(text).toContain("3 people labelled 3 answers, 3 of them more than once. They differ on 2")
    })

    it.each([
      [[long[0], long[0]], [], "ann labelled the id 1 twice: rows.jsonl:2"],
      [[long[0], { ...long[1], judge: 0 }], [], "the judge says 1 and 0 of the id 1: rows.jsonl:2, field judge"],
      [
        [
          { ...long[0], labeller: 3.5 },
          { ...long[1], labeller: null },
        ],
        [],
        "expected a name, got null: rows.jsonl:2, field labeller",
      ],
      [[{ id: "1", judge: 1, human: 1 }], ["--adjudicator", "x"], "nothing says who labelled: --adjudicator"],
      [[{ id: "1", judge: 1, human: 1 }], ["--policy", "x"], "nothing says who labelled: --policy"],
    ] as const)("refuses %j %j", async (lines, args, message) => {
      const { code, err } = await validate(lines as readonly object[], args)
      expect(code).toBe(2)
      expect(err).toContain(message)
    })

    it("says nothing of people where nobody is named, and hostile names break no terminal", async () => {
      expect(JSON.parse((await validate(rows(20, 20))).out).people).toBeNull()
      const hostile = long.slice(0, 2).map((row, i) => ({ ...row, labeller: `\u001b[31mred\n${i}` }))
      const { out } = await validate(hostile, [])
      expect(out).not.toContain("\u001b")
    })
  })

  it("wants a file or a run", async () => {
    const io = fakeIo({ cwd })
    expect(await main(["judge", "validate"], io)).toBe(2)
    expect(io.stderr()).toContain("name a file or a run")
  })
})
