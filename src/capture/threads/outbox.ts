/** Gathers messages for another thread: each one that is posted by itself wakes it, and that costs more than what it says. */
export interface Outbox<Message> {
  /**
   * @param withinMs how long the message may wait for others; 0: the first of a turn of the event loop is posted at once, behind those
   *   that wait, and the others with the end of the turn
   * @param bytes how much memory it holds while it waits
   */
  put(message: Message, withinMs: number, bytes?: number): void
  /** Posts what waits. */
  flush(): void
}

/** Messages that hold more memory than this together wait no longer. */
const maxBytes = 1024 * 1024

/** An outbox of a port. Messages arrive as lists, in the order in which they were put. */
export function createOutbox<Message>(post: (messages: readonly Message[]) => void): Outbox<Message> {
  let messages: Message[] = []
  let waitingBytes = 0
  let timer: NodeJS.Timeout | undefined
  let turn: NodeJS.Immediate | undefined
  /** Something waits for the end of the turn. */
  let urgent = false

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    waitingBytes = 0
    if (messages.length === 0) return
    const posted = messages
    messages = []
    post(posted)
  }
  function endTurn(): void {
    turn = undefined
    if (urgent) flush()
    urgent = false
  }
  return {
    put(message, withinMs, bytes = 0) {
      messages.push(message)
      waitingBytes += bytes
      if (withinMs > 0 && waitingBytes <= maxBytes) timer ??= setTimeout(flush, withinMs)
      else if (turn === undefined) {
        turn = setImmediate(endTurn)
        flush()
      } else urgent = true
    },
    flush,
  }
}
