/** Returns a function that loads its value on the first call, and again after a call that failed. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const start = async (): Promise<T> => {
    // The promise must be stored before a failure forgets it.
    await Promise.resolve();
    try {
      return await load();
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return () => (loading ??= start());
}
