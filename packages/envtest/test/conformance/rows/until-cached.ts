import type { Answer, Call, RowContext } from "../row.ts";

/**
 * Waits until the watch cache of the server has what a call wrote or deleted. A real server tries a write on the object in its cache first, and calls the webhooks
 * again where that object was outdated: a row that counts their calls waits after each write.
 */
export async function untilCached({ eventually }: RowContext, call: Call, answer: Answer): Promise<void> {
  const { metadata = {} } = answer.body as { readonly metadata?: { readonly [field: string]: string | undefined } };
  const { name = "", resourceVersion } = metadata;
  const path = call.path.replace(/\?.*$/u, "");
  if (call.method === "DELETE") {
    await eventually({ path: `${path}?resourceVersion=0` }, ({ status }) => status === 404);
    return;
  }
  if (resourceVersion === undefined) return;
  const object = call.method === "POST" ? `${path}/${name}` : path;
  await eventually({ path: `${object}?resourceVersion=${resourceVersion}` }, ({ status }) => status === 200);
}
