import { describe, expect, it } from "vitest";

import { type HttpRequest, request, type Send } from "../../src/http/request.ts";

interface Sent {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: unknown;
  readonly body: string;
}

// Answers the first request with a redirect, and the next one with success.
async function redirected(
  status: number,
  location: string,
  wanted: Partial<HttpRequest> = {},
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const send: Send = async (url, { method, headers, body }) => {
    sent.push({ url, method, headers, body: body === undefined ? "" : Buffer.from(body as Uint8Array).toString() });
    return sent.length === 1 ? new Response("", { status, headers: { location } }) : new Response("found");
  };
  await request(send, { url: new URL("https://a.example/x"), maxBytes: 100, ...wanted });
  return sent;
}

const POST = {
  method: "POST",
  headers: { authorization: "Bearer t", "content-type": "text/plain", accept: "*/*" },
  body: Buffer.from("text"),
};

describe("a request", () => {
  it.each([301, 302, 303])("becomes a GET without a body when a POST is redirected with %i", async (status) => {
    const [, next] = await redirected(status, "/y", POST);
    expect(next).toEqual({
      url: "https://a.example/y",
      method: "GET",
      headers: { authorization: "Bearer t", accept: "*/*" },
      body: "",
    });
  });

  it.each([307, 308])("stays what it is when it is redirected within its origin with %i", async (status) => {
    const [first, next] = await redirected(status, "/y", POST);
    expect(next).toEqual({ ...first, url: "https://a.example/y" });
  });

  it("leaves its authorization behind when it is redirected to another origin, port, or scheme", async () => {
    for (const location of ["https://b.example/y", "https://a.example:8443/y"]) {
      const [, next] = await redirected(307, location, { headers: { authorization: "Bearer t", accept: "*/*" } });
      expect(next?.headers).toEqual({ accept: "*/*" });
    }
    const url = new URL("http://a.example/x");
    const [, secure] = await redirected(307, "https://a.example/y", { url, headers: { authorization: "Bearer t" } });
    expect(secure?.headers).toEqual({});
  });

  it("takes its body to another origin only where it may", async () => {
    await expect(redirected(307, "https://b.example/y", POST)).rejects.toMatchObject({
      code: "DOWNLOAD_UNSAFE_RESPONSE",
    });
    const [, next] = await redirected(307, "https://b.example/y", { ...POST, mayMoveBody: true });
    expect(next).toMatchObject({ url: "https://b.example/y", body: "text" });
  });

  it("tells all origins that it was sent to", async () => {
    let count = 0;
    const send: Send = async () =>
      (count += 1) === 1
        ? new Response("", { status: 302, headers: { location: "https://b.example/" } })
        : new Response("found");
    const answer = await request(send, { url: new URL("https://a.example/"), maxBytes: 100 });
    expect(answer.origins).toEqual(["https://a.example", "https://b.example"]);
    expect(answer.url.href).toBe("https://b.example/");
  });

  it("may state a length beyond the limit in an answer to HEAD", async () => {
    const send: Send = async () => new Response(null, { headers: { "content-length": "1000" } });
    const answer = await request(send, { url: new URL("https://a.example/"), method: "HEAD", maxBytes: 10 });
    expect(answer).toMatchObject({ status: 200, isOk: true });
  });
});
