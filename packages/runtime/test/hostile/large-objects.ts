/** The levels below which API servers store an object. */
const LEVELS = 9990;
const INTEGER = "9007199254740993";

/** Nests a text of JSON. */
function nested(levels: number, { open, inner, close }: Readonly<Record<"open" | "inner" | "close", string>>): string {
  return open.repeat(levels) + inner + close.repeat(levels);
}

/** Texts of values that API servers store in a field of an object, by what is unusual about them. */
export const LARGE_VALUES: Readonly<Record<string, string>> = {
  "objects in objects": nested(LEVELS, { open: '{"a":', inner: "1", close: "}" }),
  "lists in lists": nested(LEVELS, { open: "[", inner: "1", close: "]" }),
  "4,000 levels around an integer beyond 2^53": nested(2000, { open: '[{"a":', inner: INTEGER, close: "}]" }),
  "9,990 levels around an integer beyond 2^53": nested(LEVELS / 2, { open: '[{"a":', inner: INTEGER, close: "}]" }),
  "members named __proto__": nested(LEVELS, { open: '{"__proto__":', inner: `[${INTEGER}]`, close: "}" }),
  "a text of 1 MiB": `"${"x".repeat(1024 * 1024)}"`,
  "100,000 items": `[${Array.from({ length: 100_000 }, (_, index) => index).join(",")}]`,
  "100,000 members": `{${Array.from({ length: 100_000 }, (_, index) => `"m${index}":${INTEGER}`).join(",")}}`,
  "50,000 pairs of levels side by side": `[${Array.from({ length: 50_000 }, () => '{"a":[]}').join(",")}]`,
};

/** Returns the text of a custom resource whose `spec.value` is a text of JSON. */
export function widgetText(name: string, value: string): string {
  const metadata = { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1" };
  return `{"apiVersion":"demo/v1","kind":"Widget","metadata":${JSON.stringify(metadata)},"spec":{"value":${value}}}`;
}

/** Answers for one kind with fixed texts, like an API server that stores them. */
export function serverOf(texts: { readonly listed: readonly string[]; readonly watched?: readonly string[] }) {
  const written: string[] = [];
  const transport = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method !== "GET") {
      const body = await request.text();
      written.push(body);
      return Response.json({ apiVersion: "demo/v1", kind: "Widget", metadata: { name: "written" } });
    }
    if (searchParams.get("sendInitialEvents") === "true") {
      const status = { kind: "Status", apiVersion: "v1", status: "Failure", code: 422, reason: "Invalid", message: "" };
      return Response.json(status, { status: 422 });
    }
    if (searchParams.has("watch")) return watchOf(texts.watched ?? []);
    const items = texts.listed.join(",");
    if (pathname.endsWith("/widgets")) {
      return answer(
        `{"apiVersion":"demo/v1","kind":"WidgetList","metadata":{"resourceVersion":"5"},"items":[${items}]}`,
      );
    }
    const found = texts.listed.find((text) => text.includes(`"name":"${pathname.split("/").at(-1) ?? ""}"`));
    return found === undefined ? discoveryOf(pathname) : answer(found);
  };
  return { transport, written };
}

function answer(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } });
}

const VERSION = { groupVersion: "demo/v1", version: "v1" };
const VERBS = ["create", "get", "list", "patch", "update", "watch"];

const DISCOVERY: Readonly<Record<string, unknown>> = {
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: [] },
  "/apis": { kind: "APIGroupList", groups: [{ name: "demo", versions: [VERSION], preferredVersion: VERSION }] },
  "/apis/demo/v1": {
    kind: "APIResourceList",
    groupVersion: "demo/v1",
    resources: [{ name: "widgets", singularName: "widget", namespaced: true, kind: "Widget", verbs: VERBS }],
  },
};

function discoveryOf(pathname: string): Response {
  const found = DISCOVERY[pathname];
  if (found !== undefined) return Response.json(found);
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", code: 404, reason: "NotFound" };
  return Response.json(status, { status: 404 });
}

// The watch stays open, as that of a server.
function watchOf(texts: readonly string[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const text of texts) controller.enqueue(Buffer.from(`{"type":"ADDED","object":${text}}\n`));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
