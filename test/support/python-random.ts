const length = 624
const shift = 397

/**
 * Python's `random.Random(seed)` as far as published evaluations need it: the Mersenne Twister, seeded with a small whole
 * number, and `choice` among n items. Gives the position of the item.
 */
export function pythonChoice(seed: number): (n: number) => number {
  const state = seededState(seed)
  let next = length
  const draw = (): number => {
    if (next === length) {
      twist(state)
      next = 0
    }
    let y = state[next++] as number
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    return (y ^ (y >>> 18)) >>> 0
  }
  return (n) => {
    const bits = 32 - Math.clz32(n)
    for (;;) {
      const value = draw() >>> (32 - bits)
      if (value < n) return value
    }
  }
}

/** `init_by_array([seed])`. */
function seededState(seed: number): Uint32Array {
  const state = new Uint32Array(length)
  state[0] = 19_650_218
  for (let i = 1; i < length; i++) state[i] = Math.imul(1_812_433_253, mixed(state, i)) + i
  let i = 1
  for (let k = 0; k < length; k++) {
    state[i] = ((state[i] as number) ^ Math.imul(mixed(state, i), 1_664_525)) + seed
    i = step(state, i)
  }
  for (let k = 1; k < length; k++) {
    state[i] = ((state[i] as number) ^ Math.imul(mixed(state, i), 1_566_083_941)) - i
    i = step(state, i)
  }
  state[0] = 0x80000000
  return state
}

function mixed(state: Uint32Array, i: number): number {
  const before = state[i - 1] as number
  return before ^ (before >>> 30)
}

function step(state: Uint32Array, i: number): number {
  if (i + 1 < length) return i + 1
  state[0] = state[length - 1] as number
  return 1
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < length; i++) {
    const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % length] as number) & 0x7fffffff)
    state[i] = (state[(i + shift) % length] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
  }
}
