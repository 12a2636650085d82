/** Milliseconds between two signs of life of a worker. */
export const beatEveryMs = 1_000
/** A worker that was silent for so long has lost its slices and leases, in seconds. */
export const aliveSeconds = 5
/** A worker that could not say for so long that it lives sends nothing more until it has, in milliseconds: less than {@link aliveSeconds}. */
export const mayBeSilentMs = 3_500
/** Milliseconds between two looks at what endpoints asked other workers to wait. */
export const lookEveryMs = 400
