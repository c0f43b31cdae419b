import type { Impersonation } from "@kubescaffold/k8s";

/** Returns the headers by which a request is made on behalf of another user. */
export function impersonationHeaders(impersonate: Impersonation | undefined): Record<string, string | string[]> {
  if (impersonate === undefined || impersonate.userName === "") {
    return {};
  }
  const headers: Record<string, string | string[]> = { "impersonate-user": impersonate.userName };
  if (impersonate.uid !== undefined && impersonate.uid !== "") {
    headers["impersonate-uid"] = impersonate.uid;
  }
  if (impersonate.groups !== undefined && impersonate.groups.length > 0) {
    headers["impersonate-group"] = [...impersonate.groups];
  }
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${escapeKey(key)}`] = [...values];
  }
  return headers;
}

/** Reads `Retry-After` when it is a number of seconds; dates are not. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/u.test(header.trim()) ? Number(header) : undefined;
}

// Header names take few characters, and are not case-sensitive: everything else is percent-encoded.
function escapeKey(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[^!#$&'*+\-.^_`|~0-9a-z]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
    );
}
