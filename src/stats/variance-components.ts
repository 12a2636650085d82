import { studentQuantile } from "./distributions.ts"

/** One score: of which task, with which draw of the user. */
export interface NestedScore {
  readonly task: string
  /** Which user it was within the task: scores of one task and one draw differ by the variant's own noise. */
  readonly draw: number | string
  readonly score: number
  /** Tasks that belong together; the task by default. */
  readonly cluster?: string
}

/** A part of a variance. */
export interface VarianceComponent {
  /** At least 0: an estimate below it is cut there. */
  readonly value: number
  /** Interval at 1 − alpha, cut at 0; null from fewer than 10 tasks or clusters, and where nothing can be left out. */
  readonly low: number | null
  readonly high: number | null
}

/** Where the variance of a score comes from. */
export interface VarianceComponents {
  readonly tasks: number
  readonly scores: number
  /** Between tasks: how differently hard they are. Null where no task has two scores. */
  readonly task: VarianceComponent | null
  /** Between users of one task. Null where no draw has two scores, or no task two draws. */
  readonly user: VarianceComponent | null
  /** Of one task with one user. Null where no draw has two scores. */
  readonly noise: VarianceComponent | null
  /** Within a task: user and noise together, for one answer with one user. Null where no task has two scores. */
  readonly within: VarianceComponent | null
}

/**
 * Splits the variance of scores into tasks, users within tasks, and the variant's own noise, for a nested design: score = mean + task + user
 * (task) + noise. The same draw is another user in another task, so that users are nested in tasks and not crossed with them.
 *
 * Estimator: analysis of variance for a two-way nested classification with unequal numbers: the three sums of squares are set equal to
 * what they are on average, which needs no normal distribution (Searle, Linear Models, 1971, section 11.4; Searle, Casella and
 * McCulloch, Variance Components, 1992, chapter 5). Intervals: the jackknife over tasks (or clusters) with Student's t, which holds for scores
 * of any distribution (Arvesen and Schmitz 1970, Biometrics 26). Where no draw has two scores, user and noise cannot be told apart: `within`
 * is their sum, from the one-way classification. Where every task has one draw, the user is part of the task.
 *
 * @param scores finite numbers; @param alpha 1 − the level of the intervals
 * @throws RangeError without a score, and for one that is not finite
 * @example
 * varianceComponents([
 *   { task: "a", draw: 0, score: 1 }, { task: "a", draw: 0, score: 0 }, { task: "a", draw: 1, score: 1 }, { task: "a", draw: 1, score: 1 },
 *   { task: "b", draw: 0, score: 0 }, { task: "b", draw: 0, score: 0 }, { task: "b", draw: 1, score: 0 }, { task: "b", draw: 1, score: 0 },
 * ]).noise?.value // 0.125
 */
export function varianceComponents(scores: readonly NestedScore[], alpha = 0.05): VarianceComponents {
  if (scores.length === 0) throw new RangeError("varianceComponents needs a score")
  if (scores.some(({ score }) => !Number.isFinite(score)))
    throw new RangeError("varianceComponents needs finite scores")
  // Squares of large numbers lose digits: a constant changes no variance.
  const centre = scores.reduce((sum, { score }) => sum + score, 0) / scores.length
  const units = unitsOf(scores, centre)
  const total = add(units)
  const whole = solve(total)
  const left = units.length < minUnits ? [] : units.map((unit) => solve(subtract(total, unit)))
  const part = (name: keyof Solution): VarianceComponent | null => {
    const value = whole[name]
    return value === null
      ? null
      : withInterval(
          value,
          left.map((solution) => solution[name]),
          alpha,
        )
  }
  return {
    tasks: total.tasks,
    scores: scores.length,
    task: part("task"),
    user: part("user"),
    noise: part("noise"),
    within: part("within"),
  }
}

/** With fewer, the spread of what is left out says too little. */
const minUnits = 10

/** Sums that every part of a two-way nested analysis of variance is made of; those of several tasks add up. */
type Sums = Record<(typeof sumNames)[number], number>

const sumNames = [
  "tasks",
  /** Scores: their number, their sum. */
  "n",
  "sum",
  /** Σ (sum of a task)² / n of the task; Σ n of the task². */
  "taskSquares",
  "taskSizes",
  /** Σ n of the draw² / n of its task; Σ n of the draw². */
  "drawShares",
  "drawSizes",
  /** Sums of squares and degrees of freedom of draws within tasks, and within draws. */
  "drawSquares",
  "drawFreedom",
  "noiseSquares",
  "noiseFreedom",
] as const

interface Solution {
  readonly task: number | null
  readonly user: number | null
  readonly noise: number | null
  readonly within: number | null
}

/** Means of squares set equal to their expectations. */
function solve(sums: Sums): Solution {
  const { tasks, n, sum, taskSquares, taskSizes, drawShares, drawSizes } = sums
  const { drawSquares, drawFreedom, noiseSquares, noiseFreedom } = sums
  const between = taskSquares - sum ** 2 / n
  const withinFreedom = drawFreedom + noiseFreedom
  const within = withinFreedom > 0 ? (drawSquares + noiseSquares) / withinFreedom : null
  const oneWay = within === null || tasks < 2 ? null : (between - (tasks - 1) * within) / (n - taskSizes / n)
  const noise = noiseFreedom > 0 ? noiseSquares / noiseFreedom : null
  const spread = n - drawShares
  if (noise === null || drawFreedom === 0 || spread <= 0) return { task: oneWay, user: null, noise, within }
  const user = (drawSquares - drawFreedom * noise) / spread
  const left = between - (tasks - 1) * noise - (drawShares - drawSizes / n) * user
  return { task: tasks < 2 ? null : left / (n - taskSizes / n), user, noise, within: user + noise }
}

/** Arvesen and Schmitz: the spread of pseudo-values, of which each leaves one unit out. */
function withInterval(value: number, left: readonly (number | null)[], alpha: number): VarianceComponent {
  const cut = Math.max(0, value)
  const values = left.filter((estimate) => estimate !== null)
  if (values.length === 0 || values.length < left.length) return { value: cut, low: null, high: null }
  const count = values.length
  const pseudo = values.map((estimate) => count * value - (count - 1) * estimate)
  const middle = pseudo.reduce((sum, part) => sum + part, 0) / count
  const squares = pseudo.reduce((sum, part) => sum + (part - middle) ** 2, 0)
  const half = studentQuantile(1 - alpha / 2, count - 1) * Math.sqrt(squares / (count - 1) / count)
  return { value: cut, low: Math.max(0, middle - half), high: Math.max(cut, middle + half) }
}

/** The sums of each task, or of each cluster of tasks. */
function unitsOf(scores: readonly NestedScore[], centre: number): readonly Sums[] {
  const tasks = new Map<string, { readonly cluster: string; readonly draws: Map<number | string, number[]> }>()
  for (const { task, draw, score, cluster } of scores) {
    const existing = tasks.get(task) ?? {
      cluster: cluster === undefined ? `task ${task}` : `cluster ${cluster}`,
      draws: new Map(),
    }
    tasks.set(task, existing)
    existing.draws.set(draw, [...(existing.draws.get(draw) ?? []), score - centre])
  }
  const units = new Map<string, Sums[]>()
  for (const { cluster, draws } of tasks.values())
    units.set(cluster, [...(units.get(cluster) ?? []), sumsOf([...draws.values()])])
  return [...units.values()].map(add)
}

/** The sums of one task. */
function sumsOf(draws: readonly (readonly number[])[]): Sums {
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
  const n = total(draws.map((draw) => draw.length))
  const sum = total(draws.map(total))
  const squares = total(draws.map((draw) => total(draw) ** 2 / draw.length))
  return {
    tasks: 1,
    n,
    sum,
    taskSquares: sum ** 2 / n,
    taskSizes: n ** 2,
    drawShares: total(draws.map((draw) => draw.length ** 2 / n)),
    drawSizes: total(draws.map((draw) => draw.length ** 2)),
    drawSquares: Math.max(0, squares - sum ** 2 / n),
    drawFreedom: draws.length - 1,
    noiseSquares: total(
      draws.map((draw) => Math.max(0, total(draw.map((value) => value ** 2)) - total(draw) ** 2 / draw.length)),
    ),
    noiseFreedom: n - draws.length,
  }
}

function combine(of: (name: (typeof sumNames)[number]) => number): Sums {
  return Object.fromEntries(sumNames.map((name) => [name, of(name)])) as Sums
}

const add = (all: readonly Sums[]): Sums => combine((name) => all.reduce((sum, sums) => sum + sums[name], 0))

const subtract = (from: Sums, what: Sums): Sums => combine((name) => from[name] - what[name])

/**
 * Error of a mean over so many tasks, each repeated so often, every time with a user of its own: √((task + within / repeats) / tasks).
 *
 * @returns null where the parts are not known
 */
export function errorWithRepeats(
  { task, within }: Pick<VarianceComponents, "task" | "within">,
  tasks: number,
  repeats: number,
): number | null {
  return task && within ? Math.sqrt((task.value + within.value / repeats) / tasks) : null
}
