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

/** Every task, in the order of the reports. */
export const tasks: ReadonlyMap<string, Task> = new Map([
  ["qa", { generate: qa, weight: 10 }],
  ["cite", { generate: cite, weight: 9 }],
  ["summary", { generate: summary, weight: 6 }],
  ["translation", { generate: translation, weight: 9 }],
  ["arithmetic", { generate: arithmetic, weight: 16 }],
  ["sort", { generate: sort, weight: 8 }],
  ["date", { generate: date, weight: 4 }],
  ["unit", { generate: unit, weight: 3 }],
  ["fact", { generate: fact, generateTest: factOfAnyRank, weight: 7 }],
  ["sentiment", { generate: sentiment, weight: 4 }],
  ["choice", { generate: choice, weight: 7 }],
  ["tool", { generate: toolCall, weight: 4 }],
  ["format", { generate: format, weight: 7 }],
  ["refusal", { generate: refusal, weight: 2 }],
  ["application", { generate: application, weight: 4 }],
  ["judge", { generate: judge, weight: 7 }],
  ["pairwise", { generate: pairwise, weight: 3 }],
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
  const found = new Map<string, Item>()
  for (let tries = 0; found.size < count && tries < count * 500; tries++) {
    const item = generate(random)
    if (isEvaluation(item)) found.set(item.prompt, item)
  }
  return [...found.values()]
}
