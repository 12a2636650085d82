import { createRandom, type Random } from "../../../src/core/random.ts"
import { application } from "../tasks/application.ts"
import { arithmetic } from "../tasks/arithmetic.ts"
import { choice } from "../tasks/choice.ts"
import { date } from "../tasks/date.ts"
import { fact, factOfAnyRank } from "../tasks/fact.ts"
import { format } from "../tasks/format.ts"
import { judge, pairwise } from "../tasks/judge.ts"
import { cite, qa } from "../tasks/qa.ts"
import { refusal } from "../tasks/refusal.ts"
import { sentiment } from "../tasks/sentiment.ts"
import { sort } from "../tasks/sort.ts"
import { summary } from "../tasks/summary.ts"
import { toolCall } from "../tasks/tool.ts"
import { translation } from "../tasks/translation.ts"
import { unit } from "../tasks/unit.ts"
import { type Generator, type Item, pick } from "./item.ts"
import { isEvaluation, isTraining } from "./split.ts"

interface Task {
  readonly generate: Generator
  /** How the test draws, where it differs from training. */
  readonly generateTest?: Generator
  /** Lots in the draw of a training item; a whole number. */
  readonly weight: number
}

/**
 * Every task, in the order of the reports. The weights give short questions and those that are learned late (sums,
 * choices, judging) more lots than those that a thousand steps suffice for (summaries, calls).
 */
export const tasks: ReadonlyMap<string, Task> = new Map([
  ["qa", { generate: qa, weight: 12 }],
  ["cite", { generate: cite, weight: 8 }],
  ["summary", { generate: summary, weight: 3 }],
  ["translation", { generate: translation, weight: 6 }],
  ["arithmetic", { generate: arithmetic, weight: 30 }],
  ["sort", { generate: sort, weight: 7 }],
  ["date", { generate: date, weight: 5 }],
  ["unit", { generate: unit, weight: 5 }],
  ["fact", { generate: fact, generateTest: factOfAnyRank, weight: 7 }],
  ["sentiment", { generate: sentiment, weight: 8 }],
  ["choice", { generate: choice, weight: 16 }],
  ["tool", { generate: toolCall, weight: 3 }],
  ["format", { generate: format, weight: 7 }],
  ["refusal", { generate: refusal, weight: 2 }],
  ["application", { generate: application, weight: 5 }],
  ["judge", { generate: judge, weight: 10 }],
  ["pairwise", { generate: pairwise, weight: 8 }],
])

/** An endless stream of training items: tasks by weight, nothing that is held out. */
export function* trainingItems(seed: string): Iterable<Item> {
  const random = createRandom(seed)
  const lottery = [...tasks.values()].flatMap((task) => Array<Task>(task.weight).fill(task))
  for (;;) {
    const task = pick(random, lottery)
    let item = task.generate(random)
    while (!isTraining(item)) item = task.generate(random)
    yield item
  }
}

/** `count` different test items of a task; fewer when the task has no more. */
export function evaluationItems(name: string, count: number, seed: string): readonly Item[] {
  const task = tasks.get(name) as Task
  return drawHeldOut(createRandom(`${seed}/${name}`), task.generateTest ?? task.generate, count)
}

/** Held-out items with different prompts. */
export function drawHeldOut(random: Random, generate: Generator, count: number): readonly Item[] {
  const items = new Map<string, Item>()
  for (let tries = 0; items.size < count && tries < count * 500; tries++) {
    const item = generate(random)
    if (isEvaluation(item)) items.set(item.prompt, item)
  }
  return [...items.values()]
}
