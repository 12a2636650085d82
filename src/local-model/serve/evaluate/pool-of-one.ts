/** Whether libuv's pool has one thread, which takes what it is given in turn: evaluation and sampling never meet there. */
export const isPoolOfOne = process.env.UV_THREADPOOL_SIZE === "1"
