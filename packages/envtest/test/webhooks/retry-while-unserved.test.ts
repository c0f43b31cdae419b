import { newConflict, newInternalError } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { retryWhileUnserved } from "../../src/webhooks/retry-while-unserved.ts";

const ADMISSION = newInternalError(
  'failed calling webhook "mrelay.kb.io": failed to call webhook: Post "https://127.0.0.1:1": dial tcp 127.0.0.1:1: connect: connection refused',
);
const CONVERSION = newInternalError(
  'conversion webhook for demo/v1, Kind=Relay failed: Post "https://127.0.0.1:1": dial tcp 127.0.0.1:1: connect: connection refused',
);
const ANSWERED = newInternalError('failed calling webhook "mrelay.kb.io": an error on the server ("panic")');

function failing(errors: readonly Error[]): { readonly send: () => Promise<string>; readonly calls: () => number } {
  let calls = 0;
  const send = async (): Promise<string> => {
    const error = errors[calls];
    calls += 1;
    return error === undefined ? "sent" : await Promise.reject(error);
  };
  return { send, calls: () => calls };
}

describe("retryWhileUnserved", () => {
  it("repeats a request until its webhooks are served", async () => {
    const { send, calls } = failing([ADMISSION, CONVERSION]);
    await expect(retryWhileUnserved(send, { timeoutMs: 60_000 })).resolves.toBe("sent");
    expect(calls()).toBe(3);
  });

  it.each([
    ANSWERED,
    newConflict({ group: "demo", resource: "relays" }, "a", "changed"),
    new Error("connection refused"),
  ])("does not repeat it after %s", async (error) => {
    const { send, calls } = failing([error]);
    await expect(retryWhileUnserved(send, { timeoutMs: 60_000 })).rejects.toBe(error);
    expect(calls()).toBe(1);
  });

  it("fails with the last error after the timeout", async () => {
    const { send } = failing(Array.from({ length: 100 }, () => ADMISSION));
    await expect(retryWhileUnserved(send, { timeoutMs: 1 })).rejects.toBe(ADMISSION);
  });
});
