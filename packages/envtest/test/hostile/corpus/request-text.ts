/** One hostile request: a name, and its bytes as Latin-1 characters, with TOKEN where the token of an administrator goes. */
export type HostileRequest = readonly [name: string, text: string];

export const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
/** An object that the test creates. */
export const TARGET = `${CONFIG_MAPS}/corpus-target`;
export const JSON_BODY = "Content-Type: application/json";

/** Prints a request that is well formed but for what the arguments say. */
export function requestText(
  line: string,
  { headers = [], body = "" }: { readonly headers?: readonly string[]; readonly body?: string } = {},
): string {
  const length = body === "" ? [] : [`Content-Length: ${String(Buffer.byteLength(body, "latin1"))}`];
  const head = [`${line} HTTP/1.1`, "Host: localhost", "Authorization: Bearer TOKEN", "Connection: close"];
  return [...head, ...headers, ...length, "", body].join("\r\n");
}

/** Shortens a text for a name. */
export function shortened(text: string): string {
  return text.length > 90 ? `${text.slice(0, 60)} (${String(text.length)} characters)` : text;
}
