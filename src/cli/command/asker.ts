/** A question that is answered with a line of text. */
export interface TextQuestion {
  readonly message: string;
  /** What an empty answer stands for. */
  readonly fallback?: string;
  /** Throws an error that says what is wrong with an answer; the question then stays. */
  readonly check?: (answer: string) => void;
}

/** One of the answers to choose from. */
export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Puts questions to the user. Every question fails with `CancelledError` when it is broken off, or the terminal goes away. */
export interface Asker {
  readonly text: (question: TextQuestion) => Promise<string>;
  /** A question that is answered with `y`, `yes`, `n`, `no`, in capitals or not, or with nothing for the fallback. */
  readonly yesNo: (message: string, fallback: boolean) => Promise<boolean>;
  readonly one: <T>(message: string, choices: readonly Choice<T>[]) => Promise<T>;
  /** Several of the choices, at least one. */
  readonly several: <T>(message: string, choices: readonly Choice<T>[]) => Promise<readonly T[]>;
}
