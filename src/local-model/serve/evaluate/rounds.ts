/**
 * Who evaluates on a context, and when: what all answers ask for is evaluated round by round, one batch for all of them. Without rounds the
 * binding's queue goes on with whoever is there: an answer that came in the middle of a batch, or whose sample was the last one, is evaluated alone
 * behind it from then on, and a batch of one costs nearly as much as one of several.
 */
export interface Rounds {
  /** Does a piece of work in the next round, with all that others ask for until then; it is told whether it is the only one of its round. */
  take<T>(work: (isOnly: boolean) => Promise<T>): Promise<T>
  /** Changes a sequence while nothing is evaluated; who did so is in time for the next round. */
  between<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once nothing is under way. */
  settled(): Promise<void>
}

/** Rounds over one context, on which nobody evaluates yet. */
export function createRounds(): Rounds {
  const waiting: ((isOnly: boolean) => Promise<void>)[] = []
  const changes: (() => Promise<void>)[] = []
  let underWay: Promise<void> | null = null
  // Others take a turn of the event loop to ask for their next step; an answer that is alone does not wait for it.
  let hasOthers = false

  async function run(): Promise<void> {
    while (waiting.length + changes.length > 0) {
      if (hasOthers) await nextTurn()
      while (changes.length > 0) {
        for (const change of changes.splice(0)) await change()
        await nextTurn()
      }
      const round = waiting.splice(0)
      await Promise.all(round.map((work) => work(round.length === 1)))
    }
    underWay = null
  }
  /** Puts work into a list, and resolves with what comes of it. */
  function put<T, Args extends unknown[]>(
    list: ((...args: Args) => Promise<void>)[],
    work: (...args: Args) => Promise<T>,
  ): Promise<T> {
    const result = new Promise<T>((resolve, reject) => {
      list.push((...args) => work(...args).then(resolve, reject))
    })
    underWay ??= run()
    return result
  }
  return {
    take: (work) =>
      put(waiting, async (isOnly) => {
        try {
          return await work(isOnly)
        } finally {
          hasOthers = !isOnly || waiting.length > 0
        }
      }),
    between: (work) => put(changes, work),
    async settled() {
      while (underWay) await underWay
    },
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
