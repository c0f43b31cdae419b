import type { ScaffoldError } from "@kubescaffold/k8s";

import { failureReason, UnsafeResponseError } from "../../http/errors.ts";
import type { HttpAnswer } from "../../http/request.ts";
import {
  RegistryDeniedError,
  RegistryFailureError,
  RegistryNotFoundError,
  RegistryTlsError,
  RegistryUnauthorizedError,
  RegistryUnreachableError,
  RegistryUnsafeError,
} from "../errors.ts";

/** Returns the error for an answer that is no success. */
export function explainAnswer({ status, bytes }: Pick<HttpAnswer, "status" | "bytes">, what: string): ScaffoldError {
  const said = messageOf(bytes);
  const message = `cannot ${what}: the registry responded with ${status}${said === "" ? "" : ` (${said})`}`;
  switch (status) {
    case 401:
      return new RegistryUnauthorizedError(message, {
        hint: "log in, for example with `docker login`, and check the name: many registries respond the same for missing images",
      });
    case 403:
      return new RegistryDeniedError(message, {
        hint: "request access to the repository, or use another one",
      });
    case 404:
      return new RegistryNotFoundError(message, { hint: "check the name of the image, its tag and its registry" });
    default:
      return new RegistryFailureError(message, {
        hint: status >= 500 || status === 429 ? "try again later" : "check the registry's error",
      });
  }
}

/** Returns the error for a request that got no answer, or not all of it. */
export function explainNoResponse(error: unknown, what: string): ScaffoldError {
  if (error instanceof UnsafeResponseError) {
    return new RegistryUnsafeError(`cannot ${what}: ${error.message}`, {
      hint: "check the names of the image and its registry, and check proxies and mirrors",
      cause: error,
    });
  }
  const code = codeOf(error);
  if (isTlsCode(code)) {
    return new RegistryTlsError(`cannot ${what}: the connection is not secure (${code})`, {
      hint: "set NODE_EXTRA_CA_CERTS to the registry's CA certificate, or pass --insecure for plain HTTP",
      cause: error,
    });
  }
  return new RegistryUnreachableError(
    `cannot ${what}: the registry does not respond (${code || failureReason(error)})`,
    {
      hint: "check the name of the registry and the network",
      cause: error,
    },
  );
}

/** Reports whether an attempt may fare better when it is regenerated. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnsafeResponseError) return false;
  const code = codeOf(error);
  return !isTlsCode(code) && code !== "ENOTFOUND";
}

function isTlsCode(code: string): boolean {
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|^EPROTO$/u.test(code);
}

// What fetch throws says nothing; the cause does.
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

const LONGEST_MESSAGE = 300;

function messageOf(bytes: Uint8Array): string {
  try {
    const { errors = [] } = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
      errors?: readonly { code?: string; message?: string }[];
    };
    const lines = errors.map(({ code, message }) => [code, message].filter(Boolean).join(": "));
    // A terminal obeys control characters.
    return lines
      .join("; ")
      .replaceAll(/\p{Cc}/gu, " ")
      .slice(0, LONGEST_MESSAGE);
  } catch {
    return "";
  }
}
