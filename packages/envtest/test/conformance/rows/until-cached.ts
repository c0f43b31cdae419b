import type { Answer, Call, RowContext } from "../row.ts";

/**
 * Waits until the server's cache has what was written. A real server tries a write on what its cache has, and asks the webhooks once more when that was not the
 * newest: a row that counts their calls waits after each write.
 */
export async function untilCached({ eventually }: RowContext, call: Call, answer: Answer): Promise<void> {
  const { metadata = {} } = answer.body as { readonly metadata?: { readonly [field: string]: string | undefined } };
  const { name = "", resourceVersion } = metadata;
  if (resourceVersion === undefined) return;
  const path = call.path.replace(/\?.*$/u, "");
  const object = call.method === "POST" ? `${path}/${name}` : path;
  await eventually({ path: `${object}?resourceVersion=${resourceVersion}` }, ({ status }) => status === 200);
}
