/** What a piece of work makes of something that is open; it is closed when the work ends, however it ends. */
export async function closing<Open extends { close(): unknown }, Result>(
  open: Open,
  work: (open: Open) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}
