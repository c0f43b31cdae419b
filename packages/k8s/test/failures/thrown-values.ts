/** Values that a program may throw, and that those who handle errors may stumble over; each call creates a new one. */
export const THROWN_VALUES: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  "a number": () => 0,
  "a text": () => "just no",
  "a symbol": () => Symbol("no"),
  "a function": () => () => "no",
  "an object without a prototype": () => Object.create(null) as unknown,
  "an object whose text cannot be read": () => ({
    toString: (): string => {
      throw new TypeError("no text");
    },
  }),
  "a frozen error": () => Object.freeze(new Error("frozen")),
  "a revoked Proxy": () => {
    const { proxy, revoke } = Proxy.revocable(new Error("revoked"), {});
    revoke();
    return proxy;
  },
  "a Proxy whose traps throw": () =>
    new Proxy(new Error("trapped"), {
      get: () => {
        throw new TypeError("no property");
      },
      has: () => {
        throw new TypeError("no name");
      },
    }),
  "an error whose message cannot be read": () => withGetter("message"),
  "an error whose stack cannot be read": () => withGetter("stack"),
  "an error whose cause cannot be read": () => withGetter("cause"),
  "an error whose message is not a string": () => Object.assign(new Error("x"), { message: Symbol("no") }),
  "an error whose code is not a string": () => Object.assign(new Error("x"), { code: { no: "text" }, hint: 1 }),
  "an error that causes itself": () => {
    const error = new Error("self");
    error.cause = error;
    return error;
  },
  "two errors that cause each other": () => {
    const one = new Error("one");
    one.cause = new Error("other", { cause: one });
    return one;
  },
  "a chain of 100,000 causes": () =>
    withoutStacks(() => {
      let error = new Error("first");
      for (let count = 0; count < 100_000; count += 1) error = new Error("retried", { cause: error });
      return error;
    }),
  "an AggregateError that contains itself": () => {
    const errors: unknown[] = [];
    const error = new AggregateError(errors, "all");
    error.errors.push(error, null);
    return error;
  },
  "an AggregateError with 100,000 errors": () =>
    withoutStacks(() => {
      const errors = Array.from({ length: 100_000 }, () => new Error("one"));
      return new AggregateError(errors, "all");
    }),
  "an error whose cause is a revoked Proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return new Error("outer", { cause: proxy });
  },
};

function withGetter(name: string): Error {
  return Object.defineProperty(new Error("with a getter"), name, {
    get: () => {
      throw new TypeError(`no ${name}`);
    },
  });
}

function withoutStacks<T>(create: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
