// Messages of V8 for errors in the program itself. A TypeError with any other message is thrown by the program, or by a function that rejects its input.
const MESSAGES_OF_DEFECTS: readonly RegExp[] = [
  /^Cannot (?:read|set) properties of (?:undefined|null)/u,
  /^Cannot destructure /u,
  /^Cannot convert (?:undefined or null to object|a Symbol value to|object to primitive value)/u,
  /^Cannot (?:assign to read only|redefine|delete|define|add) property /u,
  /^Cannot set property .* which has only a getter$/su,
  /^Cannot use 'in' operator/u,
  /^Cannot mix BigInt/u,
  /^Cannot (?:read|write) private member /u,
  /^Assignment to constant variable/u,
  /^Right-hand side of 'instanceof'/u,
  /^Reduce of empty array/u,
  /^Converting circular structure to JSON/u,
  / is not a (?:function|constructor)(?: or its return value is not iterable)?$/u,
  / is not (?:async )?iterable(?:\W|$)/u,
];

/**
 * Reports whether an error is a defect of a handler, which upstream calls a panic, rather than an error that the handler returns.
 *
 * A defect is a `ReferenceError`, a stack overflow, and a `TypeError` that the engine throws, for example for a property of `undefined`. All other
 * errors report bad input: those that a program throws itself, also as a `TypeError`, and those of `new URL`, `JSON.parse`, and the like.
 */
export function isDefect(error: unknown): boolean {
  if (error instanceof ReferenceError) return true;
  if (error instanceof RangeError) return error.message === "Maximum call stack size exceeded";
  return (
    error instanceof TypeError &&
    !("code" in error) &&
    MESSAGES_OF_DEFECTS.some((message) => message.test(error.message))
  );
}
