/** Returns a function that loads its value on the first call, and again after a call that failed. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const forget = (error: unknown): never => {
    loading = undefined;
    throw error;
  };
  return async () => await (loading ??= load().catch(forget));
}
