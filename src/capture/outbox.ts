/** Gathers messages for another thread: each one that is posted by itself wakes it, and that costs more than what it says. */
export interface Outbox<Message> {
  /**
   * @param withinMs how long the message may wait for others; 0: posted at once, behind those that wait
   * @param transfer blocks that move with it and are not copied
   */
  put(message: Message, withinMs: number, transfer?: readonly ArrayBuffer[]): void
  /** Posts what waits. */
  flush(): void
}

/** An outbox of a port. Messages arrive as lists, in the order in which they were put. */
export function createOutbox<Message>(
  post: (messages: readonly Message[], transfer: readonly ArrayBuffer[]) => void,
): Outbox<Message> {
  let messages: Message[] = []
  let blocks: ArrayBuffer[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (messages.length === 0) return
    const [posted, moved] = [messages, blocks]
    messages = []
    blocks = []
    post(posted, moved)
  }
  return {
    put(message, withinMs, transfer = []) {
      messages.push(message)
      for (const block of transfer) blocks.push(block)
      if (withinMs === 0) flush()
      else timer ??= setTimeout(flush, withinMs)
    },
    flush,
  }
}
