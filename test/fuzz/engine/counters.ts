/** The name of the list in the global scope that instrumented code counts in. */
export const COUNTERS = "__fuzzCounters";
