/**
 * Runs checks of something random. The text of their failure also says what `explain` does: the seed, the steps that were taken, or
 * what happened to their subject.
 */
export async function explained<T>(explain: () => string | Promise<string>, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error)
      error.message += `\n${await Promise.resolve()
        .then(explain)
        .catch((why) => `not explained: ${why}`)}`;
    throw error;
  }
}
